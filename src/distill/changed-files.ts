import { join, relative, sep } from 'node:path';
import { realPath } from '../platform/files.ts';
import { listChangesBetween } from '../platform/git/changes-between.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { kindOfStep } from './offline/calls/runs.ts';
import { splitShell } from './offline/calls/shell.ts';
import type { Turn, TurnCall } from './turn.ts';

const MOST_FILES = 200;
/** A command in the background, or a formatter in a hook of the agent, may write a moment after the last event. */
const SLACK_MS = 2_000;
/** What was left uncommitted is of a turn this recent; of an older one, as an import brings many, only its commits. */
const FRESH_MS = 24 * 3_600_000;
/** What is longer is a script; its beginning tells. */
const LONGEST_COMMAND = 2_000;

type TurnTimes = Pick<StoredTurn, 'folder' | 'openedAt' | 'lastAt' | 'nextOpenedAt'>;

/** Git's answer is about the whole turn; it goes to the last piece that could have caused it. */
export function addChangedFiles(pieces: Turn[], stored: TurnTimes, now: number): Turn[] {
  const writing = pieces.findLast(({ calls }) => calls.some(couldWrite));
  return pieces.map((piece) =>
    piece === writing ? { ...piece, changedFiles: findChangedFiles(stored, now) } : piece,
  );
}

/** What git says changed in the turn, from the turn's folder. */
export function findChangedFiles(
  { folder, openedAt, lastAt, nextOpenedAt }: TurnTimes,
  now: number,
): string[] {
  if (!folder) return [];
  const until = Math.min(lastAt + SLACK_MS, nextOpenedAt ?? Number.POSITIVE_INFINITY);
  const includesUncommitted = now - until <= FRESH_MS;
  const span = { from: openedAt, until };
  const { top, paths } = listChangesBetween(folder, span, { most: MOST_FILES, includesUncommitted });
  const base = realPath(folder);
  return paths.map((path) => relative(base, join(top, path)).split(sep).join('/'));
}

/** Whether a call may have changed files that it does not name: a script, an install, a generator, `git mv`. */
export function couldWrite({
  does,
  outcome,
  command = '',
}: Pick<TurnCall, 'does' | 'outcome' | 'command'>): boolean {
  if (outcome === 'refused') return false;
  if (does === 'other') return true;
  if (does !== 'command') return false;
  return (
    WRITES.test(command.slice(0, LONGEST_COMMAND)) ||
    splitShell(command).some((step) => kindOfStep(step) !== 'look')
  );
}

/** What even a program that only looks can do: write its output to a file, or act on what it finds. */
const WRITES = />\s*(?!&|\s|\/dev\/null)|\btee\b|\bfind\b.*\s-(?:delete|exec(?:dir)?)\b/;
