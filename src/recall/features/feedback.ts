import type { Content } from './content.ts';
import { measureRarity } from './rarity.ts';

/** As in RM3: the best documents, and the words that characterise them. */
const DOCS = 5;
const WORDS = 20;
const K1 = 1.2;

/**
 * Words that the best matches share, although the question does not have them: what else is said about its subject.
 * @param ranked documents with a score, best first
 * @returns a value from 0 to 1 for one of these documents, or for one like them.
 */
export function learnFromBest(
  terms: string[],
  ranked: { content: Content; score: number }[],
): (content: Content) => number {
  const weights = weighWords(terms, ranked);
  const indexes = new Map([...weights.keys()].map((word, index) => [word, index]));
  const values = [...weights.values()];
  const total = values.reduce((sum, weight) => sum + weight, 0) || 1;
  return ({ title, body, header }) => {
    const counts = new Float64Array(values.length);
    for (const words of [title, body, header])
      for (const word of words) {
        const index = indexes.get(word);
        if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1;
      }
    let sum = 0;
    for (const [index, count] of counts.entries())
      if (count > 0) sum += ((values[index] ?? 0) * count) / (count + K1);
    return sum / total;
  };
}

/** The share of each word in the best documents, times its rarity among all. */
function weighWords(terms: string[], ranked: { content: Content; score: number }[]): Map<string, number> {
  const asked = new Set(terms);
  const shares = new Map<string, number>();
  for (const { content, score } of ranked.slice(0, DOCS)) {
    const words = [...content.title, ...content.body, ...content.header];
    for (const word of words)
      if (!asked.has(word)) shares.set(word, (shares.get(word) ?? 0) + score / words.length);
  }
  const having = countDocs(shares, ranked);
  return new Map(
    [...shares]
      .map(([word, share]): [string, number] => [
        word,
        share * measureRarity(having.get(word)?.count ?? 0, ranked.length),
      ])
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, WORDS),
  );
}

/** How many documents have each of these words. */
function countDocs(words: Map<string, number>, ranked: { content: Content }[]) {
  const having = new Map([...words.keys()].map((word) => [word, { count: 0, last: -1 }]));
  for (const [number, { content }] of ranked.entries())
    for (const field of [content.title, content.body, content.header])
      for (const word of field) {
        const found = having.get(word);
        if (!found || found.last === number) continue;
        found.count++;
        found.last = number;
      }
  return having;
}
