import type { SearchStore } from '../store/store.ts';
import { buildSearchText } from './search-text.ts';

export interface IndexingLimits {
  /** Not a document more after this time; a hook has only a few milliseconds. */
  until?: number;
  now?: () => number;
}

/** Small enough that other writers do not wait for long. */
const DOCS_AT_ONCE = 500;

/** @returns how many documents were indexed; what is left waits for the next call. */
export function updateIndex(
  store: SearchStore,
  { until = Number.POSITIVE_INFINITY, now = Date.now }: IndexingLimits = {},
): number {
  let done = 0;
  for (;;) {
    const some = store.indexPending(buildSearchText, { docs: DOCS_AT_ONCE, until, now });
    done += some;
    if (some < DOCS_AT_ONCE) return done;
  }
}

/** All of it again, from what is stored. @returns how many documents were indexed. */
export function rebuildIndex(store: SearchStore, time: IndexingLimits = {}): number {
  store.reindexEverything();
  return updateIndex(store, time);
}
