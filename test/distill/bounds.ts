import { expect } from 'vitest';
import { addShares, type SessionScore, type Share, shareOf } from './score.ts';

/** At least this share; of junk, false statements and receipts at most this one. */
export interface Bounds {
  essentials: number;
  niceToHave: number;
  types: number;
  summaryFields: number;
  receipts: number;
  noise: number;
  untrue: number;
}

/** What is kept of a set of sessions is judged together, since no distiller keeps everything. */
export function expectWithin(set: string, scores: SessionScore[], bounds: Bounds): void {
  const total = (part: (score: SessionScore) => Share) => scores.map(part).reduce(addShares);
  const memories = total(({ unwanted }) => unwanted).of;
  const problems = scores
    .flatMap(({ missing, noise, untrue }) => [...missing, ...noise, ...untrue])
    .join('\n');
  const figures = {
    essentials: total(({ essentials }) => essentials),
    niceToHave: total(({ niceToHave }) => niceToHave),
    types: total(({ types }) => types),
    summaryFields: total(({ summaryFields }) => summaryFields),
    receipts: total(({ receipts }) => receipts),
    noise: { met: scores.flatMap(({ noise }) => noise).length, of: memories },
    untrue: { met: scores.flatMap(({ untrue }) => untrue).length, of: memories },
  };
  console.log(set, JSON.stringify(figures), `\n${problems}`);
  for (const part of ['essentials', 'niceToHave', 'types', 'summaryFields'] as const)
    expect(shareOf(figures[part]), `${part}\n${problems}`).toBeGreaterThanOrEqual(bounds[part]);
  for (const part of ['receipts', 'noise', 'untrue'] as const)
    expect(shareOf(figures[part]), `${part}\n${problems}`).toBeLessThanOrEqual(bounds[part]);
}
