import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { containsWording, textOfJson, type Wording } from '../model/wording.ts';
import { isMissing } from '../platform/files.ts';

const FORGOTTEN = '(forgotten)';

export interface ForgottenWords {
  wording: Wording;
  /** What agents were given is logged with the numbers of the memories, however little of them was said. */
  memories: number[];
}

/**
 * Removes texts about it from log lines. Lines are overwritten in place and padded with spaces, so that a process
 * that writes to the log meanwhile loses nothing. @returns how many lines.
 */
export function forgetInLogs(
  folder: string,
  { wording, memories }: ForgottenWords,
  isDryRun: boolean,
): number {
  const numbers = memories.length > 0 ? new RegExp(`#(?:${memories.join('|')})\\b`) : null;
  const isForgotten = (text: string) => numbers?.test(text) || containsWording(textOfJson(text), wording);
  let lines = 0;
  for (const name of filesIn(folder)) {
    const path = join(folder, name);
    for (const { start, bytes } of linesOf(readFileSync(path))) {
      const clean = cutLine(bytes.toString('utf8'), isForgotten);
      if (clean === null) continue;
      lines++;
      if (!isDryRun) overwrite(path, start, filled(clean, bytes.length));
    }
  }
  return lines;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function* linesOf(bytes: Buffer): Generator<{ start: number; bytes: Buffer }> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    const stop = end < 0 ? bytes.length : end;
    yield { start, bytes: bytes.subarray(start, stop) };
    start = stop + 1;
  }
}

/** Null if the line does not mention it. */
function cutLine(line: string, isForgotten: (text: string) => boolean): string | null {
  if (!isForgotten(line)) return null;
  try {
    return JSON.stringify(
      JSON.parse(line, (_, value) => {
        if (typeof value !== 'string' || !isForgotten(value)) return value;
        // The replacement must fit into the space of the text.
        return value.length < FORGOTTEN.length ? '' : FORGOTTEN;
      }),
    );
  } catch {
    return '';
  }
}

function filled(line: string, length: number): Buffer {
  const bytes = Buffer.alloc(length, ' ');
  bytes.write(line);
  return bytes;
}

function overwrite(path: string, start: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, bytes, 0, bytes.length, start);
  } finally {
    closeSync(file);
  }
}
