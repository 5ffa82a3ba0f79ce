import { quoteStored, toOneLine } from '../framing/stored-lines.ts';
import { createRepeatCheck, listClaims } from '../indexing/claims.ts';
import { shorten } from '../model/shorten.ts';
import { describeFreshness, type Freshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { type Budget, costOf } from './budget.ts';
import type { Offer } from './offers.ts';
import { formatDay } from './words.ts';

/** A claim that is to be given, the best first. */
export interface WantedClaim {
  memory: StoredMemory;
  freshness: Freshness;
  position: number;
  words: string[];
}

/** A claim that is longer is cut: it is a narrative without full stops. */
const LONGEST_CLAIM = 300;

/** As many of these as there is room for, nothing twice, the claims of a memory together. */
export function selectClaimOffers(wanted: WantedClaim[], budget: Budget, most: number): Offer[] {
  const groups = new Map<number, ClaimGroup>();
  const said = createRepeatCheck();
  let given = 0;
  for (const { memory, freshness, position, words } of wanted) {
    if (given === most) break;
    const text = listClaims(memory).find((claim) => claim.position === position)?.text;
    if (text === undefined || said.isRepeated(text)) continue;
    const known = groups.get(memory.id);
    const group = known ?? { memory, freshness, lines: [], positions: [], words: new Set(), tokens: 0 };
    const line = known ? `- ${claimLine(text)}` : [headLine(memory, text), ...footOf(freshness)].join('\n');
    const cost = costOf(line);
    if (!budget.spend(line, cost)) continue;
    groups.set(memory.id, group);
    group.lines.push(known ? line : headLine(memory, text));
    group.positions.push(position);
    group.tokens += cost;
    for (const word of words) group.words.add(word);
    said.add(text);
    given++;
  }
  return [...groups.values()].map(toOffer);
}

interface ClaimGroup {
  memory: StoredMemory;
  freshness: Freshness;
  lines: string[];
  positions: number[];
  words: Set<string>;
  tokens: number;
}

function toOffer({ memory, freshness, lines, positions, words, tokens }: ClaimGroup): Offer {
  const { id: memoryId, title } = memory;
  const reasons = words.size > 0 ? [`says ${[...words].slice(0, 4).join(', ')}`] : ['of the same project'];
  return {
    text: [...lines, ...footOf(freshness)].join('\n'),
    shown: { memoryId, title, how: 'claims', claims: positions, tokens, reasons },
  };
}

export function headLine(memory: StoredMemory, text: string): string {
  return `#${memory.id} ${memory.type ?? memory.kind}, ${formatDay(memory.at)}: ${toOneLine(claimLine(text))}`;
}

export function claimLine(text: string): string {
  return quoteStored(shorten(text, LONGEST_CLAIM));
}

export function footOf(freshness: Freshness): string[] {
  const mark = describeFreshness(freshness);
  return mark ? [`(${toOneLine(mark)}: check before you rely on it)`] : [];
}
