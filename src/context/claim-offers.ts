import { quoteStored, toOneLine } from '../framing/stored-lines.ts';
import { type Claim, createRepeatCheck, listClaims } from '../indexing/claims.ts';
import type { ScorePart } from '../model/score-part.ts';
import { shorten } from '../model/shorten.ts';
import { describeFreshness, type Freshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { type Budget, costOf } from './budget.ts';
import { describeKind } from './colleagues.ts';
import { LONGEST_TOGETHER, withNeighbours } from './neighbour.ts';
import type { KnownMemories, Offer } from './offers.ts';
import { formatDay } from './words.ts';

/** A claim to give. */
export interface WantedClaim {
  memory: StoredMemory;
  freshness: Freshness;
  position: number;
  reasons: string[];
  score?: number;
  parts?: ScorePart[];
}

export interface ClaimLimits {
  budget: Budget;
  most: number;
  known: KnownMemories;
}

/** Selects as many claims as fit, best first, without repetitions, and groups them by memory. */
export function selectClaimOffers(wanted: WantedClaim[], { budget, most, known }: ClaimLimits): Offer[] {
  const groups = new Map<number, ClaimGroup>();
  const repeats = createRepeatCheck();
  let count = 0;
  for (const { memory, freshness, position, reasons, score, parts } of wanted) {
    if (count === most) break;
    const claims = listClaims(memory);
    const claim = claims.find((sentence) => sentence.position === position);
    if (!claim || repeats.isRepeated(claim.text)) continue;
    const isNew = (other: Claim) =>
      !known.claims.get(memory.id)?.has(other.position) && !repeats.isRepeated(other.text);
    const sentences = withNeighbours(claims, claim, isNew);
    const text = joinSentences(sentences);
    const started = groups.get(memory.id);
    const group = started ?? {
      ...{ memory, freshness, lines: [], positions: [], reasons: new Set(), tokens: 0 },
      ...(score !== undefined && { score }),
      ...(parts && { parts }),
    };
    const line = started ? `- ${claimLine(text)}` : [headLine(memory, text), ...footOf(freshness)].join('\n');
    const cost = costOf(line);
    if (!budget.spend(line, cost)) continue;
    groups.set(memory.id, group);
    group.lines.push(started ? line : headLine(memory, text));
    group.positions.push(...sentences.map((sentence) => sentence.position));
    group.tokens += cost;
    for (const reason of reasons) group.reasons.add(reason);
    for (const sentence of sentences) repeats.add(sentence.text);
    count++;
  }
  return [...groups.values()].map(toOffer);
}

/** Adds full stops, which titles do not have. */
function joinSentences(claims: Claim[]): string {
  return claims
    .map(({ text }, index) => (index < claims.length - 1 && !/[.!?:。！？]$/.test(text) ? `${text}.` : text))
    .join(' ');
}

interface ClaimGroup {
  memory: StoredMemory;
  freshness: Freshness;
  lines: string[];
  positions: number[];
  reasons: Set<string>;
  tokens: number;
  /** The score of its best claim. */
  score?: number;
  parts?: ScorePart[];
}

function toOffer({ memory, freshness, lines, positions, reasons, tokens, score, parts }: ClaimGroup): Offer {
  const { id: memoryId, title } = memory;
  return {
    text: [...lines, ...footOf(freshness)].join('\n'),
    shown: {
      ...{ memoryId, title, how: 'claims', claims: positions, tokens, reasons: [...reasons] },
      ...(score !== undefined && { score }),
      ...(parts && { parts }),
    },
  };
}

export function headLine(memory: StoredMemory, text: string): string {
  return `#${memory.id} ${describeKind(memory)}, ${formatDay(memory.at)}: ${toOneLine(claimLine(text))}`;
}

/** Cuts a longer claim, which is a narrative without full stops. */
export function claimLine(text: string): string {
  return quoteStored(shorten(text, LONGEST_TOGETHER));
}

export function footOf(freshness: Freshness): string[] {
  const mark = describeFreshness(freshness);
  return mark ? [`(${toOneLine(mark)}. Check before you rely on this.)`] : [];
}
