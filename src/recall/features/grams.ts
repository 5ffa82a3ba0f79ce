import type { SearchDoc } from '../../store/types/search.ts';
import { measureRarity } from './rarity.ts';

/** Four characters of ASCII in one number. */
const BITS = 7;
const MASK = 2 ** (4 * BITS) - 1;
const LOW = 2 ** BITS - 1;
/** Most sequences of a document are not in the question: a table of few bits tells that before the map is asked. */
const TABLE = 2 ** 14;
const TITLE_WEIGHT = 2;
const K1 = 1.2;
const B = 0.6;
/** The beginning of a long document is enough. */
const LONGEST = 6_000;

/**
 * Sequences of four characters that question and document share: `deduplicate` and `dedupe`, `filename` and `file name`.
 * @returns a value from 0 to 1 for one of these documents, or for one like them.
 */
export function compareGrams(terms: string[], docs: SearchDoc[]): (doc: SearchDoc) => number {
  const grams = new Map<number, number>();
  const isKnown = new Uint8Array(TABLE);
  for (const term of terms)
    scan(` ${term} `, (gram) => {
      isKnown[gram % TABLE] = 1;
      if (!grams.has(gram)) grams.set(gram, grams.size);
    });
  const countIn = (doc: SearchDoc): Float64Array => {
    const counts = new Float64Array(grams.size);
    const add = (weight: number) => (gram: number) => {
      if (isKnown[gram % TABLE] === 0) return;
      const index = grams.get(gram);
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + weight;
    };
    scan(doc.title, add(TITLE_WEIGHT));
    scan(doc.body, add(1));
    scan(doc.header, add(1));
    return counts;
  };
  const known = new Map(docs.map((doc) => [doc.id, countIn(doc)]));
  const rarities = measureRarities([...known.values()], grams.size);
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const average = docs.reduce((sum, doc) => sum + lengthOf(doc), 0) / Math.max(docs.length, 1);
  return (doc) => {
    const norm = K1 * (1 - B + (B * lengthOf(doc)) / Math.max(average, 1));
    const counts = known.get(doc.id) ?? countIn(doc);
    let sum = 0;
    for (const [index, count] of counts.entries())
      if (count > 0) sum += ((rarities[index] ?? 0) * count) / (count + norm);
    return sum / total;
  };
}

function scan(text: string, use: (gram: number) => void): void {
  const end = Math.min(text.length, LONGEST);
  let gram = 0;
  for (let at = 0; at < end; at++) {
    gram = ((gram << BITS) | (text.charCodeAt(at) & LOW)) & MASK;
    if (at >= 3) use(gram);
  }
}

function measureRarities(all: Float64Array[], size: number): number[] {
  const having = new Array<number>(size).fill(0);
  for (const counts of all)
    for (const [index, count] of counts.entries()) if (count > 0) having[index] = (having[index] ?? 0) + 1;
  return having.map((count) => measureRarity(count, all.length));
}

function lengthOf({ title, body, header }: SearchDoc): number {
  return Math.min(title.length, LONGEST) + Math.min(body.length, LONGEST) + Math.min(header.length, LONGEST);
}
