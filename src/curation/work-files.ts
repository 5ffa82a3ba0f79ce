import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { mirrorWorks } from '../continuity/mirror/mirror.ts';
import { describeError } from '../platform/log.ts';
import type { Forgotten } from '../store/curation-store.ts';
import type { CurationWorld } from './world.ts';

/** Somebody else may be writing there just now. */
const LOCK_MS = 2_000;

/** The name of a folder tells something, too. */
export function moveRenamed({ paths }: CurationWorld, renamed: Forgotten['renamedWorks']): void {
  for (const { from, to } of renamed) {
    const [folder, target] = [join(paths.works, from), join(paths.works, to)];
    if (existsSync(folder) && !existsSync(target)) renameSync(folder, target);
  }
}

/** What was removed of the works' files, and what shows them as they were, is written again from the database. */
export function writeAnew({ store, paths, log, now }: CurationWorld, removed: string[]): void {
  try {
    for (const name of removed) {
      const [, folder] = /^works\/(.+)\/[^/]+$/.exec(name) ?? [];
      const work = folder === undefined ? null : store.workByName(folder);
      const mirror = work && store.mirrorOf(work.id);
      if (work && mirror) store.noteMirrored(work.id, { ...mirror, changedAt: 0 });
    }
    mirrorWorks({ store, paths, log, now, lockMs: LOCK_MS });
  } catch (error) {
    log.warn('works not written anew', { cause: describeError(error) });
  }
}
