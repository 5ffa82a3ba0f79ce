import type { ScorePart } from '../../model/score-part.ts';
import type { Freshness } from '../../recall/freshness.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { type Budget, costOf } from '../budget.ts';
import type { ShownMemory } from '../context.ts';
import { formatIndexLine, formatLegend } from '../entry.ts';
import { formatDay } from '../words.ts';

const INDEX = 'Index: ';
/** Minimum tokens of a line. */
const LEAST_TOKENS = 8;
/** The tokens of a line such as 2026-11-15. */
const DAY_TOKENS = 8;

export interface DayIndexEntry {
  memory: StoredMemory;
  freshness: Freshness;
  reasons: string[];
  score?: number;
  parts?: ScorePart[];
}

/**
 * One line per memory, by day, latest first, from any worktree. `entries` must be in order of usefulness: if not all
 * fit, the first ones stay.
 */
export function formatDayIndex(
  entries: DayIndexEntry[],
  budget: Budget,
  { observations, summaries }: { observations: number; summaries: number },
): { lines: string[]; shown: ShownMemory[] } {
  if (entries.length === 0 || !budget.spend(INDEX + formatLegend(entries))) return { lines: [], shown: [] };
  const left = { observations, summaries };
  const days = new Map<string, Line[]>();
  for (const { memory, freshness, reasons, score, parts } of entries) {
    if (budget.tokensLeft() < LEAST_TOKENS) break;
    const kind = memory.kind === 'summary' ? 'summaries' : 'observations';
    if (left[kind] === 0) continue;
    const day = formatDay(memory.at);
    const known = days.get(day) ?? [];
    const text = formatIndexLine(memory, freshness);
    const cost = costOf(text);
    const isNewDay = known.length === 0;
    const fits = budget.spend(isNewDay ? `${day}\n${text}` : text, isNewDay ? cost + DAY_TOKENS : cost);
    if (!fits) continue;
    left[kind]--;
    const { id, title } = memory;
    known.push({
      text,
      memory,
      freshness,
      shown: {
        ...{ memoryId: id, title, how: 'line', tokens: cost, reasons },
        ...(score !== undefined && { score }),
        ...(parts && { parts }),
      },
    });
    days.set(day, known);
  }
  const chosen = [...days.values()].flat();
  if (chosen.length === 0) return { lines: [], shown: [] };
  const lines = [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([day, those]) => [day, ...those.sort(latestFirst).map(({ text }) => text)]);
  return { lines: [INDEX + formatLegend(chosen), ...lines], shown: chosen.map(({ shown }) => shown) };
}

interface Line {
  text: string;
  memory: StoredMemory;
  freshness: Freshness;
  shown: ShownMemory;
}

function latestFirst({ memory: a }: Line, { memory: b }: Line): number {
  return b.at - a.at || b.id - a.id;
}
