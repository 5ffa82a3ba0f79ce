import { formatReference } from '../model/reference.ts';
import { findResolution, listOpenItems, type OpenStore } from '../recall/open-items.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { IndexEntry } from './present-entry.ts';

interface FoundEntry {
  entry: IndexEntry;
  isWeaker: boolean;
  memory: StoredMemory | null;
}

/**
 * Marks hits that were found by an open question or next step as open or resolved. If the memory that resolved it was
 * found, too, only that one is shown.
 */
export function settleOpenItems<Found extends FoundEntry>(store: OpenStore, hits: Found[]): Found[] {
  const shown = new Map(hits.map((hit) => [hit.entry.id, hit]));
  for (const hit of hits) {
    const { entry, memory } = hit;
    const shownText = entry.claim?.text ?? entry.title;
    if (!memory || hit.isWeaker || memory.supersededBy !== null) continue;
    const item = listOpenItems(memory).find((openItem) => isSame(openItem, shownText));
    if (item === undefined) continue;
    const resolution = findResolution(store, memory, item);
    const by = resolution && formatReference({ what: 'memory', id: resolution.id });
    const resolving = by === null ? undefined : shown.get(by);
    if (resolving && !resolving.isWeaker) {
      shown.delete(entry.id);
      shown.set(resolving.entry.id, withMark(resolving, `resolves ${entry.id}`));
    } else shown.set(entry.id, withMark(hit, by === null ? 'open' : `resolved by ${by}`));
  }
  return hits.flatMap(({ entry }) => shown.get(entry.id) ?? []);
}

/** Compares by beginning, because a shown sentence may be cut. */
function isSame(item: string, shownText: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/…$/, '').trim();
  return plain(shownText) !== '' && plain(item).startsWith(plain(shownText));
}

function withMark<Found extends FoundEntry>(hit: Found, mark: string): Found {
  return { ...hit, entry: { ...hit.entry, marks: [mark, ...hit.entry.marks] } };
}
