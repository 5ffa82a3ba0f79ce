import type { Store } from '../store/store.ts';
import type { QueryWords, SearchFilter } from '../store/types/search.ts';
import type { ParsedQuestion } from './parse-question.ts';

/** How much of what the index has is looked at. */
export interface SearchBreadth {
  /** Of so many the ranker chooses; in the index's own order the right one is seldom further back. */
  candidates: number;
  /** So many of them, from the first on, are looked at together with what stands next to them. */
  withNeighbours: number;
  /** Documents that words bring up for the index to choose the candidates from; more take too long. */
  docs: number;
  /** Documents in which a word is counted; a word that more have is common, and how common is guessed. */
  counted: number;
  /** Whether words that are everywhere bring up something where there are no others. */
  looksForCommonWords: boolean;
}

/** For a search that a person or agent asked for. */
export const WIDE_BREADTH: SearchBreadth = {
  candidates: 200,
  withNeighbours: 100,
  docs: 2_000,
  counted: 1_000,
  looksForCommonWords: true,
};

/** For unrequested context in a hook: only what fits very well is given. */
export const QUICK_BREADTH: SearchBreadth = {
  candidates: 60,
  withNeighbours: 30,
  docs: 500,
  counted: 300,
  looksForCommonWords: false,
};

/** More of the common words than these make no difference, nor does one that a fifth of all documents have. */
const COMMON_WORDS = 4;
const TELLING_SHARE = 0.2;

/** What is known of the words before they are looked for: how many documents there are, and have each term. */
interface Counts {
  docs: number;
  terms: number[];
}

/** What the index finds for the words, and for the time that is asked about. */
export function findCandidates(
  store: Pick<Store, 'findSearchCandidates'>,
  parsed: ParsedQuestion,
  filter: SearchFilter,
  { counts, breadth }: { counts: Counts; breadth: SearchBreadth },
): number[] {
  const looks = wantedWords(parsed.terms, counts, breadth);
  const find = (within: SearchFilter, limit: number) =>
    looks.flatMap((words) => store.findSearchCandidates(words, within, Math.ceil(limit / looks.length)));
  const ids = find(filter, breadth.candidates);
  if (!parsed.span || filter.since !== null || filter.before !== null) return [...new Set(ids)];
  const then = { ...filter, since: parsed.span.from, before: parsed.span.to };
  return [...new Set([...find(then, breadth.candidates / 2), ...ids])];
}

/** Words that are everywhere would bring up everything: they do so only two together. */
function wantedWords(terms: string[], counts: Counts, breadth: SearchBreadth): QueryWords[] {
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
      // As if no word had anything to do with another.
      const both = (one.count * other.count) / counts.docs;
      if (docs + both > breadth.docs) continue;
      pairs.push([one.term, other.term]);
      docs += both;
    }
  return any.length + pairs.length > 0 ? [{ any, pairs }] : commonWords(rarestFirst, common, breadth);
}

type Counted = { term: string; count: number }[];

/** Where there are no others. What has two of them may be older than all that one brings up, so it is looked for first. */
function commonWords([rarest]: Counted, [one, other]: Counted, breadth: SearchBreadth): QueryWords[] {
  if (!rarest || !breadth.looksForCommonWords) return [];
  const alone: QueryWords = { any: [rarest.term], pairs: [] };
  return one && other ? [{ any: [], pairs: [[one.term, other.term]] }, alone] : [alone];
}
