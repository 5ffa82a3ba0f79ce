import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { PRIVATE_FILE, writeWhole } from '../platform/files.ts';

/** Piece by piece, since an export may be larger than a text can be. The file is there whole, or as it was. */
export function writeOut(path: string, pieces: Iterable<string>): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, 'w', PRIVATE_FILE);
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
