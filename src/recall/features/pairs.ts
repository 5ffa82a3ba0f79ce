import type { Content } from './content.ts';
import { measureRarity } from './rarity.ts';

const TITLE_WEIGHT = 2;
/** Of neighbours in the question that have a word between them in the document, or are in the other order. */
const NEAR_WEIGHT = 0.5;
const K1 = 1.2;

/**
 * Terms that are adjacent in the question and in the document: "exit code" is not "exit" and "code".
 * @returns a value from 0 to 1 for one of these documents, or for one like them.
 */
export function comparePairs(terms: string[], contents: Iterable<Content>): (content: Content) => number {
  const places = new Map(terms.map((term, index) => [term, index]));
  const known = new Map<Content, Float64Array>();
  for (const content of contents) known.set(content, countPairs(content, places));
  const rarities = terms.slice(1).map((_, index) => {
    let having = 0;
    for (const counts of known.values()) if ((counts[index] ?? 0) > 0) having++;
    return measureRarity(having, known.size);
  });
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  return (content) => {
    const counts = known.get(content) ?? countPairs(content, places);
    let sum = 0;
    for (const [index, rarity] of rarities.entries()) {
      const count = counts[index] ?? 0;
      if (count > 0) sum += (rarity * count) / (count + K1);
    }
    return sum / total;
  };
}

/** How often each term is adjacent to the next one of the question. */
function countPairs({ title, body, header }: Content, places: Map<string, number>): Float64Array {
  const counts = new Float64Array(Math.max(places.size - 1, 0));
  const count = (words: string[], weight: number) => {
    let last = -1;
    let before = -1;
    for (const word of words) {
      const term = places.get(word) ?? -1;
      if (term >= 0) {
        if (last === term - 1 && last >= 0) add(counts, last, weight);
        else if (before === term - 1 && before >= 0) add(counts, before, weight * NEAR_WEIGHT);
        else if (last === term + 1) add(counts, term, weight * NEAR_WEIGHT);
      }
      before = last;
      last = term;
    }
  };
  count(title, TITLE_WEIGHT);
  count(body, 1);
  count(header, 1);
  return counts;
}

function add(counts: Float64Array, index: number, weight: number): void {
  counts[index] = (counts[index] ?? 0) + weight;
}
