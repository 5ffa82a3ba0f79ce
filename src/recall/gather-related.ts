import { interleave } from '../model/interleave.ts';
import type { Store } from '../store/store.ts';
import type { SearchFilter } from '../store/types/search.ts';
import { findCandidates, type SearchBreadth } from './candidates.ts';
import { measureRarity } from './features/rarity.ts';
import type { ParsedQuestion, RelatedTerm } from './parse-question.ts';
import { readPromptWords } from './prompt-words.ts';
import { guessLanguages } from './thesaurus/guess-languages.ts';
import { createRelatedLookup, lookUpInAllLanguages } from './thesaurus/look-up.ts';

export interface RelatedWords {
  /** One list per term of the question. */
  ofTerms: RelatedTerm[][];
  /** Documents that have any of them. */
  candidates: number[];
}

/** Each of these is counted, in so many documents at most: what more of them have tells little. */
const MOST_COUNTED = 20;
const MOST_DOCS = 100;
/** Memories that share no word with the question are few among those that answer it. */
const BREADTH = { candidates: 20, docs: 100, looksForCommonWords: false };

/** Other words for those of a question, as far as memories have them. */
export function gatherRelated(
  store: Pick<Store, 'countTerms' | 'findSearchCandidates'>,
  text: string,
  parsed: ParsedQuestion,
  filter: SearchFilter,
  breadth: SearchBreadth,
): RelatedWords {
  const words = readPromptWords(text);
  const related =
    guessLanguages(text).length > 0 ? words.map(createRelatedLookup(text)) : lookUpInAllLanguages(words);
  const ofTerms = parsed.terms.map((term) =>
    related.flatMap((list, index) => (words[index]?.terms.includes(term) ? list : [])),
  );
  const terms = [...new Set(interleave(ofTerms).flat())].slice(0, MOST_COUNTED);
  if (terms.length === 0) return { ofTerms: [], candidates: [] };
  const counts = store.countTerms(filter, terms, MOST_DOCS);
  const countOf = new Map(terms.map((term, index) => [term, counts.terms[index] ?? 0]));
  const known = terms.filter((term) => countOf.get(term));
  return {
    ofTerms: ofTerms.map((list) =>
      list.flatMap((own) => {
        const least = Math.min(...own.map((term) => countOf.get(term) ?? 0));
        return least > 0 ? [{ terms: own, idf: measureRarity(least, counts.docs) }] : [];
      }),
    ),
    candidates: findCandidates(store, { ...parsed, terms: known, span: null }, filter, {
      counts: { docs: counts.docs, terms: known.map((term) => countOf.get(term) ?? 0) },
      breadth: { ...breadth, ...BREADTH },
    }),
  };
}
