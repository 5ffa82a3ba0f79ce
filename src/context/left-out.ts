import type { ScorePart } from '../model/score-part.ts';
import type { LeftOutMemory } from './context.ts';
import type { Offer } from './offers.ts';

/** The wanted memories that are not among the offers. */
export function findLeftOut(
  wanted: { memoryId: number; score: number; parts?: ScorePart[] | undefined }[],
  offers: Offer[],
  reason: string,
): LeftOutMemory[] {
  const known = new Set(offers.map(({ shown }) => shown.memoryId));
  return wanted.flatMap(({ memoryId, score, parts }) => {
    if (known.has(memoryId)) return [];
    known.add(memoryId);
    return [{ memoryId, score, reason, ...(parts && { parts }) }];
  });
}
