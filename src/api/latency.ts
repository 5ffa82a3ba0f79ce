import { readLogLines } from '../platform/read-log.ts';

/** Durations of one kind of call, in milliseconds. */
export interface Latency {
  name: string;
  count: number;
  median: number;
  /** The 95th percentile. */
  slow: number;
}

/** The log message of a search in the viewer. */
export const SEARCHED_IN_VIEWER = 'searched in the viewer';

/** Evaluates the logs of the last days: hooks that answered, and searches. */
export function measureLatency(logs: string): { hooks: Latency[]; searches: Latency[] } {
  const times = { hooks: new Map<string, number[]>(), searches: new Map<string, number[]>() };
  const add = (into: Map<string, number[]>, name: string, ms: number) =>
    into.set(name, [...(into.get(name) ?? []), ms]);
  for (const { message, hook, tool, ms } of readLogLines(logs, hasTime)) {
    if (typeof ms !== 'number') continue;
    if (message === 'replied' && typeof hook === 'string') add(times.hooks, hook, ms);
    else if (message === 'tool called' && tool === 'search') add(times.searches, 'by agents', ms);
    else if (message === SEARCHED_IN_VIEWER) add(times.searches, 'in the viewer', ms);
  }
  return { hooks: summarise(times.hooks), searches: summarise(times.searches) };
}

/** Parsing takes most of the time, and most lines of a log have no duration. */
function hasTime(line: string): boolean {
  return line.includes('"ms":');
}

function summarise(times: Map<string, number[]>): Latency[] {
  return [...times]
    .map(([name, list]) => {
      const sorted = list.sort((one, other) => one - other);
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      return { name, count: sorted.length, median: at(0.5), slow: at(0.95) };
    })
    .sort((one, other) => other.count - one.count);
}
