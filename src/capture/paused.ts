import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { placeOf } from './place.ts';

/** What is paused: everything, one project or one session. While paused not even a spool file is written. */
export type PauseScope = { all: true } | { folder: string } | { session: string };

export interface Pause {
  mark: string;
  what: string;
  since: number;
}

export function pause(paths: Paths, scope: PauseScope, now: number): void {
  const what = 'all' in scope ? 'everything' : 'folder' in scope ? placeOf(scope.folder).name : scope.session;
  writeAtomically(join(paths.paused, markOf(scope)), JSON.stringify({ what, since: now }));
}

/** @returns whether it was paused. */
export function resume(paths: Paths, scope: PauseScope): boolean {
  const mark = join(paths.paused, markOf(scope));
  if (readIfThere(mark) === null) return false;
  rmSync(mark, { force: true });
  // capture.sh asks node for as long as the folder is there.
  if (listPauses(paths).length === 0) rmdirSync(paths.paused);
  return true;
}

export function listPauses(paths: Paths): Pause[] {
  let marks: string[];
  try {
    marks = readdirSync(paths.paused);
  } catch {
    return [];
  }
  return marks.flatMap((mark) => {
    try {
      return [{ mark, ...JSON.parse(readIfThere(join(paths.paused, mark)) ?? '{}') } as Pause];
    } catch {
      return [{ mark, what: mark, since: 0 }];
    }
  });
}

export function isPaused(paths: Paths, folder: string | undefined, session: string | undefined): boolean {
  const marks = listPauses(paths).map(({ mark }) => mark);
  if (marks.length === 0) return false;
  return (
    marks.includes(markOf({ all: true })) ||
    (session !== undefined && marks.includes(markOf({ session }))) ||
    (folder !== undefined && marks.includes(markOf({ folder })))
  );
}

function markOf(scope: PauseScope): string {
  if ('all' in scope) return 'all';
  if ('session' in scope) return `session-${hash(scope.session)}`;
  return `project-${hash(placeOf(scope.folder).path)}`;
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 16);
}
