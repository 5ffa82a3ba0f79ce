import { closeSync, openSync, readSync, statSync } from 'node:fs';

const CHUNK = 64 * 1024;
/** Text across the end of one chunk is complete in the next. */
const OVERLAP = 8 * 1024;

/** A file of any size as text, in chunks; empty if there is no file. */
export function* textChunksOf(path: string): Generator<string> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(Math.min(CHUNK + OVERLAP, size));
    for (let start = 0; start < size; start += CHUNK)
      yield chunk.toString('utf8', 0, readSync(file, chunk, 0, chunk.length, start));
  } finally {
    closeSync(file);
  }
}
