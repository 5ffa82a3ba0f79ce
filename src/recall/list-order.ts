import type { SearchDoc } from '../store/types/search.ts';
import { measureRarity } from './features/rarity.ts';

/** Of a column: a word in the title says more than one in the header. As in the full text index of the store. */
const COLUMNS = [
  ['title', 2],
  ['body', 1],
  ['header', 0.7],
] as const;
const K1 = 1.2;
const B = 0.75;

/** One word, or several in a row. */
export function hasTerm(doc: SearchDoc, words: string): boolean {
  return COLUMNS.some(([column]) => doc[column].includes(` ${words} `));
}

/** By BM25, best first; equals in their order. */
export function orderByWords<Doc extends SearchDoc>(found: Doc[], all: Doc[], terms: string[]): Doc[] {
  const average = all.reduce((sum, { words }) => sum + words, 0) / all.length || 1;
  const weights = terms.map((term) => {
    const having = all.filter((doc) => hasTerm(doc, term)).length;
    return { term, rarity: measureRarity(having, all.length) };
  });
  const score = (doc: Doc) =>
    weights.reduce((sum, { term, rarity }) => {
      const count = COLUMNS.reduce(
        (total, [column, weight]) => total + weight * countIn(doc[column], term),
        0,
      );
      return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * doc.words) / average));
    }, 0);
  return found
    .map((doc) => ({ doc, score: score(doc) }))
    .sort((one, other) => other.score - one.score)
    .map(({ doc }) => doc);
}

function countIn(words: string, term: string): number {
  return words.split(` ${term} `).length - 1;
}
