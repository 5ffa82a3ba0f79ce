import type { Claim } from '../indexing/claims.ts';

/** The most characters of a claim with its neighbours. */
export const LONGEST_TOGETHER = 450;
const REACH = 2;

/** A claim with the context that it needs to be understood: up to two claims after and before it in its memory. */
export function withNeighbours(
  claims: Claim[],
  claim: Claim,
  isNew: (other: Claim) => boolean = () => true,
): Claim[] {
  const at = claims.indexOf(claim);
  const together = [claim];
  let length = claim.text.length;
  const near = Array.from({ length: REACH }, (_, step) => [claims[at + step + 1], claims[at - step - 1]]);
  for (const other of near.flat()) {
    if (!other || length + other.text.length >= LONGEST_TOGETHER || !isNew(other)) continue;
    together.push(other);
    length += other.text.length;
  }
  return together.sort((one, other) => one.position - other.position);
}
