import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isFolderGivenUp } from './folder-answers.ts';

/** Windows has neither flag. Without O_NONBLOCK, opening a FIFO waits until another process opens it to write. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const SMALLEST_BUFFER = 1_024;

export interface ReadLimit {
  maxBytes: number;
}

/** For the configuration of agents: some keep years of history there. */
export const CONFIG_LIMIT: ReadLimit = { maxBytes: 200_000_000 };

/**
 * Reads a file that Cairn did not write, for example from a project or its `.git`: such a path may be a FIFO, a
 * device, a socket or a file of any size. @returns null for everything but a readable regular file within the limit.
 */
export function readRegularFile(path: string, limit: ReadLimit): Buffer | null {
  try {
    return readIfRegular(path, limit);
  } catch {
    return null;
  }
}

export function readRegularText(path: string, limit: ReadLimit): string | null {
  return readRegularFile(path, limit)?.toString('utf8') ?? null;
}

/** Null only if there is no such file. @throws if it cannot be read, is not a regular file, or is too large. */
export function readRegularIfThere(path: string, limit: ReadLimit): Buffer | null {
  const bytes = readIfRegular(path, limit);
  const found = bytes === null ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (!found) return bytes;
  const error = new Error(`${path} is not a regular file of at most ${limit.maxBytes / 1e6} MB`);
  throw Object.assign(error, found.isDirectory() && { code: 'EISDIR' });
}

function readIfRegular(path: string, { maxBytes }: ReadLimit): Buffer | null {
  if (isFolderGivenUp(path)) return null;
  // Avoids an exception for a missing file.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > maxBytes) return null;
  const file = openRegular(path);
  try {
    return readToEnd(file, found.size, maxBytes);
  } finally {
    closeSync(file);
  }
}

/** For reading in pieces. @throws for everything but a readable regular file. */
export function openRegular(path: string): number {
  if (isFolderGivenUp(path)) throw new Error(`the disk of ${path} does not answer`);
  // Opening a device can have side effects, so the path is checked first; it may still be replaced in between.
  // Node throws a TypeError for a path with a NUL, which no file has.
  if (path.includes('\0') || !statSync(path).isFile()) throw notRegular(path);
  const file = openSync(path, FLAGS);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular(path);
}

/** Has a `code` like system errors, so callers know that the file is the problem. */
function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EINVAL' });
}

/** The size is only a hint: the file may grow while it is read. */
function readToEnd(file: number, size: number, maxBytes: number): Buffer | null {
  let buffer = Buffer.allocUnsafe(Math.max(SMALLEST_BUFFER, Math.min(size, maxBytes) + 1));
  let length = 0;
  while (length <= maxBytes) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
  return null;
}
