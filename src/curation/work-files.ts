import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { mirrorWorkItems } from '../continuity/mirror/mirror.ts';
import { describeError } from '../platform/log.ts';
import type { Forgotten } from '../store/types/curation.ts';
import type { CurationOptions } from './options.ts';

/** Another process may be writing there. */
const LOCK_MS = 2_000;

/** A folder's name may contain it too. */
export function renameWorkFolders({ paths }: CurationOptions, renamed: Forgotten['renamedWorks']): void {
  for (const { from, to } of renamed) {
    const [folder, target] = [join(paths.works, from), join(paths.works, to)];
    if (existsSync(folder) && !existsSync(target)) renameSync(folder, target);
  }
}

/** Rewrites removed and outdated files of work items from the database. */
export function rewriteWorkFiles({ store, paths, log, now }: CurationOptions, removed: string[]): void {
  try {
    for (const name of removed) {
      const [, folder] = /^works\/(.+)\/[^/]+$/.exec(name) ?? [];
      const work = folder === undefined ? null : store.findWorkItem(folder);
      const mirror = work && store.getMirror(work.id);
      if (work && mirror) store.saveMirror(work.id, { ...mirror, changedAt: 0 });
    }
    mirrorWorkItems({ store, paths, log, now, lockMs: LOCK_MS });
  } catch (error) {
    log.warn('work files not rewritten', { cause: describeError(error) });
  }
}
