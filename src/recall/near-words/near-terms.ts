import { stem } from '../../indexing/stem.ts';
import { INDEXED_STOP_WORDS, STOP_WORDS } from '../../indexing/stop-words.ts';
import { listSynonyms } from '../../indexing/synonyms.ts';
import { costsOfPrefixes, typoCost, typoLimit } from '../../model/typo-cost.ts';

/** A term of the index that a misspelled word may mean. */
export interface NearTerm {
  term: string;
  /** The word that has this stem and is closest to what was typed. */
  word: string;
  cost: number;
}

/** English endings that the stemmer cuts off. Each word made with one is stemmed again to see whether it fits. */
const ENDINGS = [
  '',
  ...'e s es ed d er ers ing ion ions ation ations or ors r rs ment ments ement ements able ible ive ity al ly y'.split(
    ' ',
  ),
  ...'ance ence ancy ency ant ent ate ated ating ator ators ative ize ized izer izing ization alize'.split(
    ' ',
  ),
  ...'ness ful ous ism ic ical ically ability'.split(' '),
];
const LONGEST_ENDING = 7;

/** The terms that `typed` may be a misspelling of, the likeliest first. */
export function findNearTerms(typed: string, terms: string[]): NearTerm[] {
  const limit = typoLimit(typed.length);
  if (limit === 0) return [];
  const near: NearTerm[] = [];
  for (const term of new Set(terms)) {
    if (!/^[a-z0-9]+$/.test(term) || STOP_WORDS.has(term) || INDEXED_STOP_WORDS.has(term)) continue;
    if (term.length > typed.length + 2 || term.length < typed.length - LONGEST_ENDING - 2) continue;
    // The rest of what was typed may be an ending, and the index has `proxi` for proxy.
    if (!costsOfPrefixes(term.replace(/i$/, ''), typed, limit).some((cost) => cost <= limit)) continue;
    const best = closestForm(typed, term, limit);
    if (best) near.push({ term, ...best });
  }
  for (const word of listSynonyms()) {
    const cost = typoCost(typed, word);
    if (cost <= limit) near.push({ term: stem(word), word, cost });
  }
  return near.sort((one, other) => one.cost - other.cost || compare(one.word, other.word));
}

function closestForm(typed: string, term: string, limit: number): { word: string; cost: number } | null {
  let best: { word: string; cost: number } | null = null;
  for (const base of new Set([
    term,
    `${term}${term.at(-1)}`,
    term.replace(/i$/, 'y'),
    term.replace(/i$/, 'ie'),
  ]))
    for (const ending of ENDINGS) {
      const word = base + ending;
      if (Math.abs(word.length - typed.length) > 2) continue;
      const cost = typoCost(typed, word);
      if (cost > limit || (best && cost >= best.cost) || (word !== term && stem(word) !== term)) continue;
      best = { word, cost };
    }
  return best;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
