import { stemmer } from 'stemmer';
import { findSynonym } from './synonyms.ts';

const KEPT = 20_000;
/** Node makes a longer piece of a text point into the text: keeping the piece keeps all of it. */
export const LONGEST_COPIED_SLICE = 12;
const known = new Map<string, string>();

/** What a word and its other forms are found under. Takes lower case; what is not English stays as it is. */
export function stem(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const made = make(word);
  if (word.length > LONGEST_COPIED_SLICE) return made;
  if (known.size >= KEPT) known.clear();
  known.set(word, made);
  return made;
}

function make(word: string): string {
  const base = findSynonym(word) ?? word;
  if (base.length < 3 || !/^[a-z]+$/.test(base)) return base;
  const short = stemmer(base);
  const same = findSynonym(short);
  return same === undefined ? short : stemmer(same);
}
