import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, writeWhole } from '../../platform/files.ts';
import { readRegularFile } from '../../platform/read-regular-file.ts';
import type { NoteChange } from './note-file.ts';

/**
 * Replaces a file atomically, keeps owner and mode, creates no folder. @returns false if another process changed the
 * file since it was read; then nothing is written.
 */
export function replaceFile({ path, before, after }: NoteChange): boolean {
  if (before) refuseReadOnly(path);
  if (after === null) {
    if (!isStill(path, before)) return false;
    rmSync(path, { force: true });
    return true;
  }
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.cairn`);
  try {
    writeDraft(draft, after, before && path);
    if (!isStill(path, before)) return false;
    return before ? replaceBy(draft, path) : placeNew(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(draft: string, bytes: Buffer, like: string | null): void {
  const file = openSync(draft, 'wx', 0o666);
  try {
    writeWhole(file, bytes);
    if (like !== null) keepOwnerAndMode(file, like);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function keepOwnerAndMode(file: number, like: string): void {
  const old = statSync(like);
  const fresh = fstatSync(file);
  if (fresh.uid !== old.uid || fresh.gid !== old.gid) fchownSync(file, old.uid, old.gid);
  fchmodSync(file, old.mode & 0o7777);
}

function replaceBy(draft: string, path: string): boolean {
  renameSync(draft, path);
  return true;
}

/** Unlike a rename, a link does not replace a file that was created meanwhile. */
function placeNew(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // Some file systems do not support links.
    return replaceBy(draft, path);
  }
}

function isStill(path: string, before: Buffer | null): boolean {
  if (before === null) return statSync(path, { throwIfNoEntry: false }) === undefined;
  return readRegularFile(path, { maxBytes: before.length })?.equals(before) ?? false;
}

/** A rename would replace a read-only file, but it was made read-only for a reason. */
function refuseReadOnly(path: string): void {
  if ((statSync(path).mode & 0o222) === 0) throw new ReadOnlyFileError();
  accessSync(path, constants.W_OK);
}

export class ReadOnlyFileError extends Error {
  override name = 'ReadOnlyFileError';
}
