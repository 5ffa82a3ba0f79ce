import { readLogLines } from '../platform/read-log.ts';

/** How long one kind of call took, in milliseconds. */
export interface Latency {
  name: string;
  count: number;
  median: number;
  /** Slower than 95 of 100. */
  slow: number;
}

/** By whom searches are logged. */
export const SEARCHED_IN_VIEWER = 'searched in the viewer';

/** What the logs of the last days say about hooks that answered, and about searches. */
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

/** Most lines of a log are about something else, and parsing them is what takes long. */
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
