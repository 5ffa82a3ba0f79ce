import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { putInOutbox } from './outbox.ts';
import { redactValue } from './redact/redact-value.ts';
import { listSpool, sortByTime } from './spool.ts';

/** What waits longer than this while agents work is not being stored. */
export const STALLED_AFTER_MS = 10 * 60_000;

/** Intake that fails again and again: events are safe in the spool, but not visible. */
export interface Stall {
  since: number;
  count: number;
  cause: string;
  told: boolean;
}

export function readStall(paths: Paths): Stall | null {
  try {
    const text = readIfThere(stallFile(paths));
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function clearStall(paths: Paths): void {
  rmSync(stallFile(paths), { force: true });
}

/** Counts a failed intake; the person is told once, when it failed often and something waits for long. */
export function recordStall(paths: Paths, cause: string, threshold: number, now: number): void {
  const before = readStall(paths);
  const next = {
    since: before?.since ?? now,
    count: (before?.count ?? 0) + 1,
    cause: redactValue(cause),
    told: before?.told ?? false,
  };
  const oldest = sortByTime(paths, listSpool(paths))[0];
  if (!next.told && next.count >= threshold && oldest && now - oldest.at > STALLED_AFTER_MS) {
    putInOutbox(
      paths,
      `Cairn could not store events ${next.count} times in a row: ${cause} ` +
        'They are kept and will be stored when this is cured. Run: cairn doctor',
    );
    next.told = true;
  }
  writeAtomically(stallFile(paths), JSON.stringify(next));
}

function stallFile(paths: Paths): string {
  return join(paths.state, 'stalled');
}
