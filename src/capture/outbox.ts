import { renameSync, rmSync } from 'node:fs';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/** Something the person should hear at the next hook call, whichever it is; capture.sh looks for the file. */
export function putInOutbox(paths: Paths, notice: string): void {
  writeAtomically(paths.outbox, notice);
}

/** Of several hooks at once only one gets it. */
export function takeFromOutbox(paths: Paths): string | null {
  const mine = `${paths.outbox}.${process.pid}`;
  try {
    renameSync(paths.outbox, mine);
    const notice = readIfThere(mine);
    rmSync(mine, { force: true });
    return notice;
  } catch {
    return null;
  }
}
