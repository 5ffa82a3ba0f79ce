import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { findPlace } from './place.ts';
import { redactValue } from './redact/redact-value.ts';

/** The scope of a pause: everything, one project or one session. During a pause not even a spool file is written. */
export type PauseScope = { all: true } | { folder: string } | { session: string };

export interface Pause {
  mark: string;
  what: string;
  since: number;
}

export function pause(paths: Paths, scope: PauseScope, now: number): void {
  const what =
    'all' in scope ? 'everything' : 'folder' in scope ? findPlace(scope.folder).name : scope.session;
  writeAtomically(join(paths.paused, markOf(scope)), JSON.stringify({ what: redactValue(what), since: now }));
}

/** @returns whether it was paused. */
export function unpause(paths: Paths, scope: PauseScope, now = Date.now()): boolean {
  const mark = markOf(scope);
  const pause = listPauses(paths).find((pause) => pause.mark === mark);
  if (!pause) return false;
  const periods = [...pausesBefore(paths), { mark, from: pause.since, to: now }];
  writeAtomically(pausesBeforeFile(paths), JSON.stringify(periods));
  rmSync(join(paths.paused, mark), { force: true });
  // capture.sh runs node as long as the folder exists.
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

/** `folder` is null if its disk does not answer: then it may belong to any paused project. */
export function isPaused(
  paths: Paths,
  folder: string | null | undefined,
  session: string | undefined,
): boolean {
  const marks = listPauses(paths).map(({ mark }) => mark);
  if (marks.length === 0) return false;
  if (folder === null && marks.some((mark) => mark.startsWith('project-'))) return true;
  return (
    marks.includes(markOf({ all: true })) ||
    (session !== undefined && marks.includes(markOf({ session }))) ||
    (typeof folder === 'string' && marks.includes(markOf({ folder })))
  );
}

export interface PausedPeriod {
  from: number;
  to: number;
}

/** Paused periods of this folder or session: an agent's records from these periods must not be imported. */
export function listPausedPeriods(
  paths: Paths,
  folder: string | undefined,
  session: string | undefined,
): PausedPeriod[] {
  const marks = [
    markOf({ all: true }),
    ...(session === undefined ? [] : [markOf({ session })]),
    ...(folder === undefined ? [] : [markOf({ folder })]),
  ];
  const now = listPauses(paths).map(({ mark, since }) => ({
    mark,
    from: since,
    to: Number.POSITIVE_INFINITY,
  }));
  return [...pausesBefore(paths), ...now]
    .filter(({ mark }) => marks.includes(mark))
    .map(({ from, to }) => ({ from, to }));
}

function pausesBefore(paths: Paths): (PausedPeriod & { mark: string })[] {
  try {
    return JSON.parse(readIfThere(pausesBeforeFile(paths)) ?? '[]');
  } catch {
    return [];
  }
}

function pausesBeforeFile(paths: Paths): string {
  return join(paths.state, 'paused-before');
}

function markOf(scope: PauseScope): string {
  if ('all' in scope) return 'all';
  if ('session' in scope) return `session-${hash(scope.session)}`;
  return `project-${hash(findPlace(scope.folder).path)}`;
}

function hash(text: string): string {
  // Loaded here: it costs a hook 5 ms, and pauses are rare.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(text).digest('hex').slice(0, 16);
}
