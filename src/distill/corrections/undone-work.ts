import { type GitRestore, listGitRestores, restoresFile } from '../offline/calls/git-restores.ts';
import { splitShell } from '../offline/calls/shell.ts';
import type { Turn } from '../turn.ts';
import { findReplacedValues, isSameFile, type ReplacedValues } from './replaced-values.ts';

/** What the edits of an earlier turn replaced in one file. */
export interface EarlierEdit extends ReplacedValues {
  turnId: number;
  /** By the end of the turn before this one. Git restores what was committed, so that is not undone by it. */
  isCommitted: boolean;
}

/** A file in which nothing is left of what a turn did to it. */
export interface UndoneFile {
  turnId: number;
  path: string;
  /** Names that a sentence may use for it. */
  names: string[];
  /** Made and removed again: whatever is said to be in it is not there. */
  isGone: boolean;
}

/** Files in which these turns undid the work of earlier ones: restored by git, removed again, or edited back. */
export function findUndoneFiles(turns: Turn[], earlier: EarlierEdit[]): UndoneFile[] {
  const edits = turns.flatMap(findReplacedValues);
  const restores = turns.flatMap(listRestores);
  return earlier.flatMap((old) => {
    const own = edits.filter(({ path }) => path === old.path);
    const isGone = old.created && own.some(({ removed }) => removed);
    const isBack = !old.isCommitted && restores.some((restore) => restoresFile(restore, old.path));
    if (!isGone && !isBack && !own.some((edit) => isInverse(edit, old))) return [];
    return [{ turnId: old.turnId, path: old.path, names: namesOf(old, earlier), isGone }];
  });
}

/** Whether all files of a turn are among those that were undone. */
export function isUndone(turnId: number, files: string[], undone: UndoneFile[]): boolean {
  const own = undone.filter((each) => each.turnId === turnId);
  return files.length > 0 && files.every((file) => own.some(({ path }) => isSameFile(file, path)));
}

/** Whether a sentence about the work of a turn names a file that was fully undone. */
export function namesUndoneFile(sentence: string, turnId: number, undone: UndoneFile[]): boolean {
  return undone.some((each) => each.turnId === turnId && each.names.some((name) => sentence.includes(name)));
}

/** Whether a sentence names a file that was made and removed again. */
export function namesGoneFile(sentence: string, undone: UndoneFile[]): boolean {
  return undone.some(({ isGone, names }) => isGone && names.some((name) => sentence.includes(name)));
}

/**
 * The path, the file's own name, the number in it (V42 of V42__invoices.sql) and its folder, without those that stand for
 * other files of the turn as well.
 */
function namesOf({ turnId, path }: EarlierEdit, earlier: EarlierEdit[]): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const file = path.slice(folder.length);
  const numbered = /^[A-Za-z]+[-_]?\d+(?=[_.-])/.exec(file)?.[0] ?? '';
  const others = earlier.filter((each) => each.turnId === turnId && each.path !== path);
  return [path, file, numbered, folder].filter(
    (name) => name !== '' && !others.some((other) => other.path.includes(name)),
  );
}

/** Takes out all that the other edit put in, and puts in only what that one took out. */
function isInverse(edit: ReplacedValues, old: ReplacedValues): boolean {
  return old.after.size > 0 && isWithin(old.after, edit.before) && isWithin(edit.after, old.before);
}

function isWithin(part: Set<string>, whole: Set<string>): boolean {
  return [...part].every((value) => whole.has(value));
}

/** Whether the turn committed anything. */
export function hasCommit(turn: Turn): boolean {
  return listSteps(turn).some(({ steps }) =>
    steps.some(({ words: [program, verb] }) => program === 'git' && verb === 'commit'),
  );
}

/** A stash that was not popped yet may still be. */
function listRestores(turn: Turn): GitRestore[] {
  return listGitRestores(listSteps(turn), turn.folder).filter(({ isStash }) => !isStash);
}

function listSteps({ calls }: Turn) {
  return calls.flatMap(({ does, outcome, command = '' }, place) =>
    does === 'command' && outcome === 'success' ? [{ steps: splitShell(command), place }] : [],
  );
}
