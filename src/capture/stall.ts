import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { putInOutbox } from './outbox.ts';
import { redactValue } from './redact/redact-value.ts';
import { listSpool, sortByTime } from './spool.ts';

/** Events that are pending for longer while agents work are not being stored. */
export const STALLED_AFTER_MS = 10 * 60_000;

/** Repeatedly failing intake: events are safe in the spool, but not visible. */
export interface Stall {
  since: number;
  count: number;
  cause: string;
  isReported: boolean;
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

/** Counts a failed intake; the person is notified once, after several failures and a long wait. */
export function recordStall(paths: Paths, cause: string, threshold: number, now: number): void {
  const before = readStall(paths);
  const next = {
    since: before?.since ?? now,
    count: (before?.count ?? 0) + 1,
    cause: redactValue(cause),
    isReported: before?.isReported ?? false,
  };
  const oldest = sortByTime(paths, listSpool(paths))[0];
  if (!next.isReported && next.count >= threshold && oldest && now - oldest.at > STALLED_AFTER_MS) {
    putInOutbox(
      paths,
      `Cairn could not store events ${next.count} times in a row: ${cause} ` +
        'They are kept and will be stored when this is cured. Run: cairn doctor',
    );
    next.isReported = true;
  }
  writeAtomically(stallFile(paths), JSON.stringify(next));
}

function stallFile(paths: Paths): string {
  return join(paths.state, 'stalled');
}
