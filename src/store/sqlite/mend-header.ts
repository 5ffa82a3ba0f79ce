import { closeSync, copyFileSync, existsSync, openSync, readSync, writeSync } from 'node:fs';

const HEADER_BYTES = 100;
/** The file's size and its free pages, as the header has them: SQLite sees the one and can do without the other. */
const OWN_PART = { start: 28, end: 40 };

/**
 * A copy of a damaged database which begins like a sound one of the same schema. When it was only the first
 * bytes that were damaged, all the rest can be read again. @returns the copy's path.
 */
export function copyWithHeaderOf(sound: string, damaged: string, copy: string): string {
  copyFileSync(damaged, copy);
  if (existsSync(`${damaged}-wal`)) copyFileSync(`${damaged}-wal`, `${copy}-wal`);
  const header = Buffer.alloc(HEADER_BYTES);
  withFile(sound, 'r', (file) => readSync(file, header, 0, HEADER_BYTES, 0));
  header.fill(0, OWN_PART.start, OWN_PART.end);
  withFile(copy, 'r+', (file) => writeSync(file, header, 0, HEADER_BYTES, 0));
  return copy;
}

function withFile(path: string, flags: string, work: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    work(file);
  } finally {
    closeSync(file);
  }
}
