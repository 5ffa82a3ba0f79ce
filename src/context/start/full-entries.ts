import { type Budget, costOf } from '../budget.ts';
import type { ShownMemory } from '../context.ts';
import { formatFullEntry } from '../entry.ts';
import type { UsefulMemory } from './useful-memories.ts';

const HEADING = 'Worth knowing:';
/** In addition to the permanent ones. */
const MOST = 6;
const LOWEST_SCORE = 3;
/** A longer memory is given without its narrative. */
const MOST_TOKENS_EACH = 180;
/** Minimum tokens of a memory. */
const LEAST_TOKENS = 15;

/** The most important memories in full: permanent ones first, then the most useful. */
export function selectFullEntries(
  useful: UsefulMemory[],
  budget: Budget,
): { lines: string[]; shown: ShownMemory[] } {
  const candidates = useful.filter(({ freshness }) => freshness.state !== 'gone');
  const permanent = candidates.filter(({ isPermanent }) => isPermanent);
  const others = candidates
    .filter(({ isPermanent, score }) => !isPermanent && score >= LOWEST_SCORE)
    .slice(0, MOST);
  const lines: string[] = [];
  const shown: ShownMemory[] = [];
  for (const { memory, freshness, reasons } of [...permanent, ...others]) {
    const room = Math.min(MOST_TOKENS_EACH, budget.tokensLeft());
    if (room < LEAST_TOKENS) break;
    const entry = formatFullEntry(memory, freshness, room);
    const isFirst = lines.length === 0;
    const cost = (entry?.tokens ?? 0) + (isFirst ? costOf(HEADING) : 0);
    if (!entry || !budget.spend(isFirst ? `${HEADING}\n${entry.text}` : entry.text, cost)) continue;
    if (isFirst) lines.push(HEADING);
    lines.push(entry.text);
    const { id, title } = memory;
    shown.push({ memoryId: id, title, how: 'full', tokens: entry.tokens, reasons });
  }
  return { lines, shown };
}
