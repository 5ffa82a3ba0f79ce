import type { Store } from '../store/store.ts';
import type { QueryWords, SearchFilter } from '../store/types/search.ts';
import type { ParsedQuestion } from './parse-question.ts';

/** How much of the index is searched. */
export interface SearchBreadth {
  /** The number that the ranker gets; the right one is rarely further back in the index's order. */
  candidates: number;
  /** The number of first ones whose neighbours are read too. */
  withNeighbours: number;
  /** The number of best ones with a title whose texts are compared with each other. */
  compared: number;
  /** Maximum documents that words select; more take too long. */
  docs: number;
  /** Maximum documents that are counted per word; beyond, its frequency is estimated. */
  counted: number;
  /** Whether very common words are searched for if there are no others. */
  looksForCommonWords: boolean;
  /** Whether memories with other words for the same are found. */
  looksForRelatedWords: boolean;
}

/** For a search by a person or an agent. */
export const WIDE_BREADTH: SearchBreadth = {
  candidates: 200,
  withNeighbours: 100,
  compared: 60,
  docs: 2_000,
  counted: 1_000,
  looksForCommonWords: true,
  looksForRelatedWords: true,
};

/** For unrequested context in a hook: only very good matches are given. */
export const QUICK_BREADTH: SearchBreadth = {
  candidates: 60,
  withNeighbours: 30,
  compared: 8,
  docs: 500,
  counted: 300,
  looksForCommonWords: false,
  looksForRelatedWords: false,
};

/** Further common words, and one that a fifth of all documents have, make no difference. */
const COMMON_WORDS = 4;
const TELLING_SHARE = 0.2;

/** Statistics: the number of documents, and of those with each term. */
interface Counts {
  docs: number;
  terms: number[];
}

/** Candidates for the words and the time of a question. */
export function findCandidates(
  store: Pick<Store, 'findSearchCandidates'>,
  parsed: ParsedQuestion,
  filter: SearchFilter,
  { counts, breadth }: { counts: Counts; breadth: SearchBreadth },
): number[] {
  const looks = chooseQueryWords(parsed.terms, counts, breadth);
  const find = (within: SearchFilter, limit: number) =>
    looks.flatMap((words) => store.findSearchCandidates(words, within, Math.ceil(limit / looks.length)));
  const ids = find(filter, breadth.candidates);
  if (!parsed.span || filter.since !== null || filter.before !== null) return [...new Set(ids)];
  const then = { ...filter, since: parsed.span.from, before: parsed.span.to };
  return [...new Set([...find(then, breadth.candidates / 2), ...ids])];
}

/** Words that are everywhere would bring up everything: they do so only two together. */
export function chooseQueryWords(terms: string[], counts: Counts, breadth: SearchBreadth): QueryWords[] {
  const rarestFirst = terms
    .map((term, index) => ({ term, count: counts.terms[index] ?? 0 }))
    .sort((a, b) => a.count - b.count);
  const any: string[] = [];
  const common: typeof rarestFirst = [];
  let docs = 0;
  for (const word of rarestFirst) {
    if (docs + word.count <= breadth.docs) {
      any.push(word.term);
      docs += word.count;
    } else if (common.length < COMMON_WORDS && word.count <= counts.docs * TELLING_SHARE) common.push(word);
  }
  const pairs: QueryWords['pairs'] = [];
  for (const [index, one] of common.entries())
    for (const other of common.slice(index + 1)) {
      // Assumes that words are independent.
      const both = (one.count * other.count) / counts.docs;
      if (docs + both > breadth.docs) continue;
      pairs.push([one.term, other.term]);
      docs += both;
    }
  return any.length + pairs.length > 0 ? [{ any, pairs }] : commonWords(rarestFirst, common, breadth);
}

type Counted = { term: string; count: number }[];

/** If there are no others. A pair may be older than all results of a single word, so pairs come first. */
function commonWords([rarest]: Counted, [one, other]: Counted, breadth: SearchBreadth): QueryWords[] {
  if (!rarest || !breadth.looksForCommonWords) return [];
  const alone: QueryWords = { any: [rarest.term], pairs: [] };
  return one && other ? [{ any: [], pairs: [[one.term, other.term]] }, alone] : [alone];
}
