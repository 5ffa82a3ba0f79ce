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
const LONGEST = 4_000;

/**
 * Sequences of four characters that question and document share: `deduplicate` and `dedupe`, `filename` and `file name`.
 * @returns a value from 0 to 1 for one of these documents, or for one like them.
 */
export function compareGrams(terms: string[], docs: SearchDoc[]): (doc: SearchDoc) => number {
  const grams = listGrams(terms);
  const known = new Map(docs.map((doc) => [doc.id, countGrams(grams, doc)]));
  const rarities = measureRarities([...known.values()], grams.indexes.size);
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const average = docs.reduce((sum, doc) => sum + lengthOf(doc), 0) / Math.max(docs.length, 1);
  return (doc) => {
    const norm = K1 * (1 - B + (B * lengthOf(doc)) / Math.max(average, 1));
    const counts = known.get(doc.id) ?? countGrams(grams, doc);
    let sum = 0;
    for (let index = 0; index < counts.length; index++) {
      const count = counts[index] ?? 0;
      if (count > 0) sum += ((rarities[index] ?? 0) * count) / (count + norm);
    }
    return sum / total;
  };
}

interface Grams {
  indexes: Map<number, number>;
  isKnown: Uint8Array;
}

function listGrams(terms: string[]): Grams {
  const grams: Grams = { indexes: new Map(), isKnown: new Uint8Array(TABLE) };
  for (const term of terms) {
    const text = ` ${term} `;
    let gram = 0;
    for (let at = 0; at < text.length; at++) {
      gram = ((gram << BITS) | (text.charCodeAt(at) & LOW)) & MASK;
      if (at < 3 || grams.indexes.has(gram)) continue;
      grams.isKnown[gram % TABLE] = 1;
      grams.indexes.set(gram, grams.indexes.size);
    }
  }
  return grams;
}

function countGrams(grams: Grams, { title, body, header }: SearchDoc): Float64Array {
  const counts = new Float64Array(grams.indexes.size);
  addGrams(counts, grams, title, TITLE_WEIGHT);
  addGrams(counts, grams, body, 1);
  addGrams(counts, grams, header, 1);
  return counts;
}

function addGrams(counts: Float64Array, { indexes, isKnown }: Grams, text: string, weight: number): void {
  const end = Math.min(text.length, LONGEST);
  let gram = 0;
  for (let at = 0; at < end; at++) {
    gram = ((gram << BITS) | (text.charCodeAt(at) & LOW)) & MASK;
    if (at < 3 || isKnown[gram % TABLE] === 0) continue;
    const index = indexes.get(gram);
    if (index !== undefined) counts[index] = (counts[index] ?? 0) + weight;
  }
}

function measureRarities(all: Float64Array[], size: number): number[] {
  const having = new Array<number>(size).fill(0);
  for (const counts of all)
    for (let index = 0; index < size; index++)
      if ((counts[index] ?? 0) > 0) having[index] = (having[index] ?? 0) + 1;
  return having.map((count) => measureRarity(count, all.length));
}

function lengthOf({ title, body, header }: SearchDoc): number {
  return Math.min(title.length, LONGEST) + Math.min(body.length, LONGEST) + Math.min(header.length, LONGEST);
}
