import type { VectorComparison } from '../store/types/vector.ts';
import type { RankedMatch } from './calibrate.ts';

/**
 * How memories compare to a question in meaning. Every embedder has cosines of its own, so one is measured
 * against all the others that it gave for this question: in deviations above the middle.
 */
export interface Similarities {
  above: Map<number, number>;
  /** The deviation that the best of this many reaches by chance nine times in ten. */
  chance: number;
}

/** If all are similar, or there are few, small differences mean nothing. */
const SMALLEST_DEVIATION = 0.02;
const OF_A_FEW = { memories: 20, deviation: 0.08 };
const MOST_CANDIDATES = 20;

/** Weight of a deviation above chance, relative to the ranker's weights. */
const BEYOND_CHANCE = 2;
/**
 * Weight of one below, from an embedder that agrees with the words: otherwise it may know nothing about the question.
 */
const WITHIN_CHANCE = 0.5;
const AGREEMENT = { among: 5, full: 2 };
const MOST_BEYOND = 3;
const FARTHER = 0.1;

/** Below the threshold for unrequested context, which needs matching words. */
const MOST_BY_MEANING = 0.6;

export function measureSimilarities({ docs, cosines }: VectorComparison): Similarities {
  const count = docs.length;
  const middle = medianOf(cosines);
  const least = count < OF_A_FEW.memories ? OF_A_FEW.deviation : SMALLEST_DEVIATION;
  const deviation = Math.max(least, 1.4826 * medianOf(cosines.map((cosine) => Math.abs(cosine - middle))));
  return {
    above: new Map(docs.map((doc, index) => [doc, ((cosines[index] ?? 0) - middle) / deviation])),
    chance: Math.sqrt(2 * Math.log(Math.max(count, 2))) + 2 / Math.sqrt(Math.max(count, 1)),
  };
}

/** Memories that stand out in meaning without a word in common; best first. */
export function findBySimilarityOnly({ above, chance }: Similarities): number[] {
  return [...above]
    .filter(([, value]) => value > chance)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_CANDIDATES)
    .map(([doc]) => doc);
}

export function isOutlier(doc: number, { above, chance }: Similarities): boolean {
  return (above.get(doc) ?? 0) > chance;
}

/** Adds the similarity to the ranker's score. Expects the best first. */
export function fuseScores(ranked: RankedMatch[], similarities: Similarities): void {
  const trust = measureAgreement(ranked, similarities);
  for (const hit of ranked) {
    const above = similarities.above.get(hit.match.doc.id) ?? 0;
    const within = Math.min(Math.max(above, 0), similarities.chance);
    hit.total += WITHIN_CHANCE * trust * within + BEYOND_CHANCE * excessOverChance(above, similarities);
  }
}

/** From 0 to 1: how far the best matches by words stand out in meaning too. */
function measureAgreement(ranked: RankedMatch[], { above }: Similarities): number {
  const best = ranked
    .filter(({ match }) => match.own.some((value) => value > 0) && above.has(match.doc.id))
    .slice(0, AGREEMENT.among)
    .map(({ match }) => above.get(match.doc.id) ?? 0);
  const mean = best.reduce((sum, value) => sum + value, 0) / Math.max(best.length, 1);
  return Math.min(Math.max(mean / AGREEMENT.full, 0), 1);
}

/** Nearly constant for larger values, but keeps their order. */
function excessOverChance(above: number, { chance }: Similarities): number {
  const far = Math.max(above - chance, 0);
  return far <= MOST_BEYOND ? far : MOST_BEYOND + FARTHER * Math.log1p(far - MOST_BEYOND);
}

/** The likelihood, including similarity. */
export function fuseScore(score: number, doc: number, similarities: Similarities): number {
  const far = Math.min(1, excessOverChance(similarities.above.get(doc) ?? 0, similarities) / MOST_BEYOND);
  return Math.max(score, MOST_BY_MEANING * far);
}

function medianOf(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
