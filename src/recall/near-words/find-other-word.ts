import type { SearchFilter } from '../../store/types/search.ts';
import { readPromptWords } from '../prompt-words.ts';
import { lookUpInAllLanguages, type RelatedWord } from '../thesaurus/look-up.ts';
import type { NearWordStore } from './find-replacement.ts';
import { findWrittenForm } from './written-form.ts';

const MOST_COUNTED = 100;

/** Another word for the same, in any language, that memories in this scope have: the most frequent one. */
export function findOtherWord(store: NearWordStore, typed: string, filter: SearchFilter): string | undefined {
  const words = readPromptWords(typed);
  if (words.length !== 1 || words[0]?.terms.length !== 1) return undefined;
  const related = lookUpInAllLanguages(words, { inAll: true }).flat();
  const terms = [...new Set(related.flat())].filter((term) => !/^\d+$/.test(term));
  if (terms.length === 0) return undefined;
  const counts = store.countTerms(filter, terms, MOST_COUNTED).terms;
  const countOf = (word: RelatedWord) => Math.min(...word.map((term) => counts[terms.indexOf(term)] ?? 0));
  const best = related.reduce((one, other) => (countOf(other) > countOf(one) ? other : one));
  if (countOf(best) === 0) return undefined;
  const written = best.map((term) => findWrittenForm(store, term, term, filter));
  return written.every((word) => word !== undefined) ? written.join(' ') : undefined;
}
