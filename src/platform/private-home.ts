import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from './files.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** The folder's owner could replace the programs that hooks run. @returns the owner's uid if it is another user. */
export function findForeignOwner(home: string): number | null {
  const uid = process.getuid?.();
  const stats = statSync(home, { throwIfNoEntry: false });
  return !stats || uid === undefined || stats.uid === uid ? null : stats.uid;
}

/** Files of the home that others can read or change, or only change. Links are not followed. */
export function findSharedFiles(home: string, how: 'at all' | 'to write' = 'at all'): string[] {
  // Windows has no such modes.
  return process.platform === 'win32' ? [] : listOpenBelow(home, how === 'at all' ? OTHERS : OTHERS_WRITE);
}

function listOpenBelow(path: string, rights: number): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A spool file may be ingested meanwhile.
  if (!stats || stats.isSymbolicLink()) return [];
  const own = (stats.mode & rights) === 0 ? [] : [path];
  return stats.isDirectory()
    ? [...own, ...namesIn(path).flatMap((name) => listOpenBelow(join(path, name), rights))]
    : own;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** @returns how many files and folders were open to others. */
export function restrictToOwner(home: string): number {
  const found = findSharedFiles(home);
  for (const path of found) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats) chmodSync(path, stats.mode & 0o700);
  }
  return found.length;
}
