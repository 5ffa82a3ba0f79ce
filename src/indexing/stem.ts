import { stemmer } from 'stemmer';
import { findSynonym } from './synonyms.ts';

const KEPT = 20_000;
/** V8 keeps the whole text alive through a substring of it. */
export const LONGEST_COPIED_SLICE = 12;
const known = new Map<string, string>();

/** The stem of a lower-case word; words of other languages are unchanged. */
export function stem(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const result = make(word);
  if (word.length > LONGEST_COPIED_SLICE) return result;
  if (known.size >= KEPT) known.clear();
  known.set(word, result);
  return result;
}

function make(word: string): string {
  const base = findSynonym(word) ?? word;
  if (base.length < 3 || !/^[a-z]+$/.test(base)) return stemAfterNumber(base);
  const short = stemmer(base);
  const same = findSynonym(short);
  return same === undefined ? short : stemmer(same);
}

/** Stems only the end of a name with a number: utf8decoders → utf8decod. Paths and packages are unchanged. */
function stemAfterNumber(word: string): string {
  const [, before = '', end = ''] = /^([a-z0-9]*\d)([a-z]{3,})$/.exec(word) ?? [];
  return end === '' ? word : before + stemmer(end);
}
