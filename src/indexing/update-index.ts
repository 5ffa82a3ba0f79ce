import type { SearchStore, Store } from '../store/store.ts';
import type { IndexedText, SearchSource } from '../store/types/search.ts';
import { buildClaimWords } from './claim-words.ts';
import { indexErrors } from './index-errors.ts';
import { buildSearchText } from './search-text.ts';

export interface IndexingLimits {
  /** No document is started after this time; a hook has only a few milliseconds. */
  until?: number;
  now?: () => number;
}

type IndexedStore = SearchStore & Pick<Store, 'indexPendingErrors'>;

/** A batch takes some 50 ms, for which other writers wait. Much smaller batches would make the index larger. */
const DOCS_AT_ONCE = 200;

/** @returns how many documents were indexed; the rest is left for the next call. */
export function updateIndex(
  store: IndexedStore,
  { until = Number.POSITIVE_INFINITY, now = Date.now }: IndexingLimits = {},
): number {
  let done = 0;
  for (;;) {
    const some = store.indexPending(buildIndexedText, { docs: DOCS_AT_ONCE, until, now });
    done += some;
    if (some < DOCS_AT_ONCE) break;
  }
  indexErrors(store, { until, now });
  return done;
}

/** The same for a process that also answers requests: it returns to the event loop after each batch. */
export async function updateIndexInParts(
  store: IndexedStore,
  { until, now, isStopped }: Required<IndexingLimits> & { isStopped: () => boolean },
): Promise<number> {
  let done = 0;
  while (!isStopped()) {
    const some = store.indexPending(buildIndexedText, { docs: DOCS_AT_ONCE, until, now });
    done += some;
    await new Promise((resolve) => setImmediate(resolve));
    if (some < DOCS_AT_ONCE) break;
  }
  indexErrors(store, { until, now });
  return done;
}

/** Rebuilds the index from the stored memories. @returns how many documents were indexed. */
export function rebuildIndex(store: IndexedStore, time: IndexingLimits = {}): number {
  store.reindexEverything();
  return updateIndex(store, time);
}

function buildIndexedText(source: SearchSource): IndexedText {
  return { ...buildSearchText(source), claims: buildClaimWords(source) };
}
