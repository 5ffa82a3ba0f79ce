import type { SearchFilter, SearchStore, WantedWords } from '../store/search-store.ts';
import type { Asked } from './asked.ts';

/** Of so many the ranker chooses; in the index's own order the right one is seldom further back. */
const CANDIDATES = 200;
/** Documents that words may bring up on their own. */
const MOST_DOCS = 4_000;
/** More of the common words than these, or more common ones, make no difference. */
const COMMON_WORDS = 4;
const MOST_COMMON = 25_000;

/**
 * What the index finds for the words, and for the time that is asked about. `counts` says in how many documents
 * each term stands.
 */
export function candidates(
  store: SearchStore,
  asked: Asked,
  filter: SearchFilter,
  counts: number[],
): number[] {
  const words = wantedWords(asked.terms, counts);
  const ids = store.searchCandidates(words, filter, CANDIDATES);
  if (!asked.span || filter.since !== null || filter.before !== null) return ids;
  const then = { ...filter, since: asked.span.from, before: asked.span.to };
  return [...new Set([...store.searchCandidates(words, then, CANDIDATES / 2), ...ids])];
}

/** Words that are everywhere would bring up everything: they do so only two together. */
function wantedWords(terms: string[], counts: number[]): WantedWords {
  const rarestFirst = terms
    .map((term, index) => ({ term, count: counts[index] ?? 0 }))
    .sort((a, b) => a.count - b.count);
  const any: string[] = [];
  const common: string[] = [];
  let docs = 0;
  for (const { term, count } of rarestFirst) {
    docs += count;
    if (any.length === 0 || docs <= MOST_DOCS) any.push(term);
    else if (common.length < COMMON_WORDS && count <= MOST_COMMON) common.push(term);
  }
  const pairs = common.flatMap((one, index) =>
    common.slice(index + 1).map((other): [string, string] => [one, other]),
  );
  return { any, pairs };
}
