import type { Claim } from '../indexing/claims.ts';

/** A claim and its neighbours are not longer together. */
const LONGEST_TOGETHER = 300;

/** A claim with the sentences that it needs to be understood: the next one of its memory and the one before. */
export function withNeighbours(
  claims: Claim[],
  claim: Claim,
  isNew: (other: Claim) => boolean = () => true,
): Claim[] {
  const at = claims.indexOf(claim);
  const together = [claim];
  let length = claim.text.length;
  for (const other of [claims[at + 1], claims[at - 1]]) {
    if (!other || length + other.text.length >= LONGEST_TOGETHER || !isNew(other)) continue;
    together.push(other);
    length += other.text.length;
  }
  return together.sort((one, other) => one.position - other.position);
}
