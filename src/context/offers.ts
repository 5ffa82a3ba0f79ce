import { EMPTY_FRAME } from '../framing/frame.ts';
import type { ScorePart } from '../model/score-part.ts';
import type { Freshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { type Budget, costOf } from './budget.ts';
import { type Context, type LeftOutMemory, NO_CONTEXT, type ShownMemory, wrapContext } from './context.ts';
import { formatFullEntry } from './entry.ts';

/** A memory to give in full, with its text. */
export interface Offer {
  text: string;
  shown: ShownMemory;
}

/** The memories and claims that a session was given before. */
export interface KnownMemories {
  whole: Set<number>;
  /** Positions of given claims, by memory. */
  claims: Map<number, Set<number>>;
}

export interface RatedMemory {
  memory: StoredMemory;
  freshness: Freshness;
  reasons: string[];
  score?: number;
  parts?: ScorePart[];
}

/** Selects as many memories as fit, each shortened to the rest of the budget. */
export function selectOffers(wanted: RatedMemory[], budget: Budget, most: number): Offer[] {
  const found: Offer[] = [];
  for (const { memory, freshness, reasons, score, parts } of wanted) {
    if (found.length === most) break;
    const entry = formatFullEntry(memory, freshness, budget.tokensLeft());
    if (!entry || !budget.spend(entry.text, entry.tokens)) continue;
    const { id, title } = memory;
    const shown: ShownMemory = { memoryId: id, title, how: 'full', tokens: entry.tokens, reasons };
    if (score !== undefined) shown.score = score;
    if (parts) shown.parts = parts;
    found.push({ text: entry.text, shown });
  }
  return found;
}

export function joinOffers(intro: string, offers: Offer[], leftOut: LeftOutMemory[] = []): Context {
  if (offers.length === 0) return NO_CONTEXT;
  const shown = offers.map((offer) => offer.shown);
  const tokens = shown.reduce((sum, memory) => sum + memory.tokens, costOf(EMPTY_FRAME) + costOf(intro));
  return wrapContext([intro, ...offers.map(({ text }) => text)], { tokens, shown, leftOut });
}
