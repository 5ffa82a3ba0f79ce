import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { statIfThere } from '../files.ts';
import { readRegularFile } from '../read-regular-file.ts';
import { gitFoldersOf } from './checkout.ts';

/** Reading this much takes about 3 ms while a person or agent waits. Fewer files are looked up in a larger index. */
const MOST_BYTES = 20_000_000;

/**
 * The files that were written since that time and differ from git's index, latest first. Read from git's files,
 * because starting `git` costs a hook 12 ms. Therefore staged and untracked files are missing, and a file that was
 * rewritten with the same content counts until git refreshes its index.
 */
export function findChangedFiles(top: string, paths: string[], { since }: { since: number }): string[] {
  try {
    const written = writtenSince(since, top, paths);
    if (written.length === 0) return [];
    const gitDir = gitFoldersOf(top)?.gitDir;
    const index = gitDir && readRegularFile(join(gitDir, 'index'), { maxBytes: MOST_BYTES });
    // Not a checkout, or nothing was ever added.
    if (!index || index.length === 0) return [];
    return written
      .slice(0, Math.floor(MOST_BYTES / index.length))
      .filter(({ path, file }) => isChanged(file, entryFor(path, index)))
      .map(({ path }) => path);
  } catch {
    // A damaged index, or an invalid path.
    return [];
  }
}

function writtenSince(since: number, top: string, paths: string[]): { path: string; file: Stats }[] {
  return paths
    .flatMap((path) => {
      const file = statIfThere(`${top}/${path}`);
      return file && file.mtimeMs > since ? [{ path, file }] : [];
    })
    .sort((a, b) => b.file.mtimeMs - a.file.mtimeMs);
}

/** A file's index entry. */
interface Entry {
  writtenAtMs: number;
  size: number;
}

/**
 * See gitformat-index(5): a path ends in NUL and follows two bytes that contain only its length in an ordinary entry.
 * Version 4 compresses paths: most are not found there.
 */
function entryFor(path: string, index: Buffer): Entry | undefined {
  const pattern = Buffer.from(`\0\0${path}\0`);
  pattern.writeUInt16BE(pattern.length - 3);
  const entry = index.indexOf(pattern) - 60;
  if (entry < 0) return undefined;
  const seconds = index.readUInt32BE(entry + 8);
  const nanoseconds = index.readUInt32BE(entry + 12);
  return { writtenAtMs: seconds * 1_000 + nanoseconds / 1e6, size: index.readUInt32BE(entry + 36) };
}

function isChanged(file: Stats, entry: Entry | undefined): boolean {
  if (!entry) return false;
  if (file.size % 2 ** 32 !== entry.size) return true;
  // Some builds of git store whole seconds only.
  const step = Number.isInteger(entry.writtenAtMs / 1_000) ? 1_000 : 1;
  return Math.abs(file.mtimeMs - entry.writtenAtMs) >= step;
}
