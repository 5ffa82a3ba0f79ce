import type { Claim } from '../indexing/claims.ts';
import type { FoundClaim } from '../recall/claims/find-claims.ts';
import { withNeighbours } from './neighbour.ts';

/**
 * Orders claims by how much of the total likelihood of an answer they cover. A claim is given with its neighbours, so
 * one with two good neighbours comes before a better one without, and claims already given as neighbours come last.
 * The new score is the share of the likelihood that a claim and its neighbours add.
 *
 * @param found scored by the logarithm of the likelihood that each is the answer
 */
export function coverClaims(found: FoundClaim[], claimsOf: (memoryId: number) => Claim[]): FoundClaim[] {
  const highest = Math.max(...found.map(({ score }) => score));
  const open = new Map(found.map((claim) => [keyOf(claim), Math.exp(claim.score - highest)]));
  const total = [...open.values()].reduce((sum, share) => sum + share, 0);
  const left = found.map((claim) => ({ claim, keys: keysOf(claim, claimsOf(claim.memoryId)) }));
  const ordered: FoundClaim[] = [];
  while (left.length > 0) {
    const gains = left.map(({ keys }) => keys.reduce((sum, key) => sum + (open.get(key) ?? 0), 0));
    const gain = Math.max(...gains);
    const [best] = left.splice(gains.indexOf(gain), 1);
    if (!best) break;
    ordered.push({ ...best.claim, score: gain / total });
    for (const key of best.keys) open.delete(key);
  }
  return ordered;
}

/** The keys of a claim and of the neighbours with which it is given. */
function keysOf(found: FoundClaim, claims: Claim[]): string[] {
  const claim = claims.find(({ position }) => position === found.position);
  if (!claim) return [keyOf(found)];
  return withNeighbours(claims, claim).map(({ position }) => keyOf({ memoryId: found.memoryId, position }));
}

function keyOf({ memoryId, position }: Pick<FoundClaim, 'memoryId' | 'position'>): string {
  return `${memoryId} ${position}`;
}
