import {
  closeSync,
  type Dirent,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Owner only: other users must not read what agents do on this machine. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder and its missing parents. Node's own `recursive` never returns where mkdir reports a missing parent
 * that exists, as in /proc.
 */
export function makePrivateFolder(path: string): void {
  if (isFolder(path)) return;
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process may have created it.
    if (isFolder(path)) return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || parent === path || isFolder(parent)) throw error;
    makePrivateFolder(parent);
    makeLastFolder(path);
  }
}

function makeLastFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

/** Atomic and durable: readers see the old or the new text, also after a power cut. */
export function writeAtomically(path: string, text: string, mode = PRIVATE_FILE): void {
  makePrivateFolder(dirname(path));
  writePieces(path, [text], mode);
}

/** Like `writeAtomically`, for content larger than the longest possible string; its folder must exist. */
export function writePieces(path: string, pieces: Iterable<string>, mode = PRIVATE_FILE): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      for (const piece of pieces) writeWhole(file, Buffer.from(piece));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** `writeSync` may write only part of its input. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A text that stays the same until another file replaces this one. Null if the file is missing or not accessible. */
export function identifyFile(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** Undefined also if a folder of the path is a file now: there, Node throws all the same. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statIfThere(path)?.isDirectory() === true;
}

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The names in a folder; with `recursive`, also those in its subfolders. Empty if it cannot be read. */
export function listNames(folder: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .sort();
  } catch {
    return [];
  }
}

/** Resolves links; an unresolvable path is unchanged. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Empty if the folder cannot be read. */
export function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function listFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
