import type { Claim } from '../indexing/claims.ts';

/** A claim and its neighbour are not longer together. */
const LONGEST_TOGETHER = 300;

/** The sentence that a short claim needs to be understood: the next one of its memory, or else the one before. */
export function findNeighbour(claims: Claim[], position: number): Claim | undefined {
  const at = claims.findIndex((claim) => claim.position === position);
  const text = claims[at]?.text ?? '';
  return [claims[at + 1], claims[at - 1]].find(
    (claim) => claim !== undefined && text.length + claim.text.length < LONGEST_TOGETHER,
  );
}
