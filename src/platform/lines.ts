import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from './read-regular-file.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Longer lines are skipped. */
export const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

export interface FileLine {
  start: number;
  end: number;
  /** Null if it is too long. Only valid until the next line is read. */
  bytes: Buffer | null;
}

/** The complete lines of a file from an offset on. A last line without a line break is left out as incomplete. */
export function* linesOf(
  path: string,
  from: number,
  { chunkBytes = CHUNK_BYTES, longestLine = LONGEST_LINE_BYTES } = {},
): Generator<FileLine> {
  const file = openRegular(path);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let pieces: Buffer[] = [];
    let length = 0;
    let start = from;
    for (let position = from; ; ) {
      const read = readSync(file, chunk, 0, chunkBytes, position);
      if (read === 0) return;
      position += read;
      let done = 0;
      for (let at = chunk.indexOf(10); at !== -1 && at < read; at = chunk.indexOf(10, done)) {
        length += at - done;
        const rest = chunk.subarray(done, at);
        const bytes =
          length > longestLine ? null : pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
        done = at + 1;
        const end = start + length + 1;
        yield { start, end, bytes };
        start = end;
        pieces = [];
        length = 0;
      }
      length += read - done;
      // A line that is too long is only counted.
      if (length > longestLine) pieces = [];
      else if (read > done) pieces.push(Buffer.from(chunk.subarray(done, read)));
    }
  } finally {
    closeSync(file);
  }
}

/** The number of the line at this offset, from 1. */
export function lineNumberAt(path: string, offset: number): number {
  const file = openRegular(path);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let number = 1;
    for (let position = 0; position < offset; ) {
      const read = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, offset - position), position);
      if (read === 0) break;
      position += read;
      for (let at = chunk.indexOf(10); at !== -1 && at < read; at = chunk.indexOf(10, at + 1)) number++;
    }
    return number;
  } finally {
    closeSync(file);
  }
}

/** Whether a line begins at this offset: if not, the file was replaced. */
export function isLineStart(path: string, offset: number): boolean {
  if (offset === 0) return true;
  const file = openRegular(path);
  try {
    const before = Buffer.alloc(1);
    return (
      fstatSync(file).size >= offset && readSync(file, before, 0, 1, offset - 1) === 1 && before[0] === 10
    );
  } finally {
    closeSync(file);
  }
}

export function readFirstBytes(path: string, bytes: number): string {
  const file = openRegular(path);
  try {
    const head = Buffer.alloc(bytes);
    return head.toString('utf8', 0, readSync(file, head, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}

/** The last bytes of a file as text; may begin within a line. */
export function readTail(path: string, bytes: number): string {
  const file = openRegular(path);
  try {
    const from = Math.max(0, fstatSync(file).size - bytes);
    const tail = Buffer.alloc(bytes);
    return tail.toString('utf8', 0, readSync(file, tail, 0, bytes, from));
  } finally {
    closeSync(file);
  }
}
