import { type Claim, createRepeatCheck, listClaims } from '../../indexing/claims.ts';
import type { ScorePart } from '../../model/score-part.ts';
import { type Budget, costOf } from '../budget.ts';
import { claimLine, footOf, headLine } from '../claim-offers.ts';
import type { ShownMemory } from '../context.ts';
import { kindPoints } from '../memory-worth.ts';
import type { UsefulMemory } from './useful-memories.ts';

const HEADING = 'Worth knowing:';
/** Memories below this score, such as those from an unmerged branch, are only listed in the index. */
const LOWEST_SCORE = 0;
const LEAST_POINTS = 1;
/** No claim fits into fewer tokens. */
const LEAST_TOKENS = 10;
/** The claims per memory that each round allows; permanent memories give all of theirs at once. */
const ROUNDS = [2, 4, Number.POSITIVE_INFINITY];

/**
 * The best claims that fit: permanent memories first, then the most useful ones. Only the first claims of a memory are
 * given if it does not fit as a whole, and only those count as given. `said` is text that the session gets anyway.
 */
export function selectBestClaims(
  useful: RatedMemory[],
  budget: Budget,
  said: string[] = [],
): { lines: string[]; shown: ShownMemory[] } {
  const repeats = createRepeatCheck(said);
  const entries = [...useful]
    .filter(({ freshness, score }) => freshness.state !== 'gone' && score >= LOWEST_SCORE)
    .sort((one, other) => Number(other.isPermanent) - Number(one.isPermanent))
    .map((rated): Entry => ({ ...rated, claims: null, next: 0, lines: [], positions: [], tokens: 0 }));
  let isFirst = true;
  for (const most of ROUNDS)
    for (const entry of entries) {
      if (budget.tokensLeft() < LEAST_TOKENS) break;
      const claims = readClaims(entry);
      const until = entry.isPermanent ? claims.length : Math.min(most, claims.length);
      while (entry.next < until && budget.tokensLeft() >= LEAST_TOKENS) {
        const claim = claims[entry.next++];
        if (!claim) break;
        // Another memory already said this claim, so it counts as given, too.
        if (repeats.isRepeated(claim.text)) entry.positions.push(claim.position);
        else if (addClaim(entry, claim, budget, isFirst)) {
          repeats.add(claim.text);
          isFirst = false;
        }
      }
    }
  const shownEntries = entries.filter(({ lines }) => lines.length > 0);
  return {
    lines:
      shownEntries.length > 0
        ? [
            HEADING,
            ...shownEntries.map(({ lines, freshness }) => [...lines, ...footOf(freshness)].join('\n')),
          ]
        : [],
    shown: shownEntries.map(toShown),
  };
}

type RatedMemory = Pick<UsefulMemory, 'memory' | 'freshness' | 'score' | 'reasons' | 'isPermanent'> & {
  parts?: ScorePart[];
};

interface Entry extends RatedMemory {
  /** Null until needed: most memories are not reached, and splitting them would take time while the agent waits. */
  claims: Claim[] | null;
  /** The index of the next claim. */
  next: number;
  lines: string[];
  positions: number[];
  tokens: number;
}

/** Empty for a plain change, whose index line says as much. */
function readClaims(entry: Entry): Claim[] {
  if (entry.claims === null) {
    const claims = listClaims(entry.memory);
    const isTitleAlone = claims.length === 1 && claims[0]?.text === entry.memory.title;
    entry.claims = isTitleAlone && kindPoints(entry.memory, 'start') < LEAST_POINTS ? [] : claims;
  }
  return entry.claims;
}

function addClaim(entry: Entry, { text, position }: Claim, budget: Budget, isFirst: boolean): boolean {
  const { memory, freshness, lines, positions } = entry;
  const line = lines.length === 0 ? headLine(memory, text) : `- ${claimLine(text)}`;
  const whole = [...(isFirst ? [HEADING] : []), line, ...(lines.length === 0 ? footOf(freshness) : [])].join(
    '\n',
  );
  const cost = costOf(whole);
  if (!budget.spend(whole, cost)) return false;
  lines.push(line);
  positions.push(position);
  entry.tokens += cost;
  return true;
}

function toShown({ memory, claims, positions, tokens, reasons, score, parts }: Entry): ShownMemory {
  const { id: memoryId, title } = memory;
  const shown = { memoryId, title, tokens, reasons, score, ...(parts && { parts }) };
  return positions.length === claims?.length
    ? { ...shown, how: 'full' }
    : { ...shown, how: 'claims', claims: positions };
}
