import { isObject, type Json } from '../model/json.ts';
import { isLineStart, lineNumberAt, linesOf } from '../platform/lines.ts';
import type { TranscriptRecord, Transcripts } from './agent.ts';

/** The part of `Transcripts` that all formats with a JSON value per line share. */
export const jsonLines: Pick<Transcripts, 'readRecords' | 'isRecordStart' | 'timeOf'> = {
  readRecords: readJsonLines,
  isRecordStart: isLineStart,
  timeOf: timeOfRecord,
};

/** The time in the record's `timestamp`. */
export function timeOfRecord(record: Json): number | undefined {
  const stamp = isObject(record) ? record.timestamp : undefined;
  const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The records of a file with a JSON value in each line. */
function* readJsonLines(path: string, offset: number): Generator<TranscriptRecord> {
  for (const { start, end, bytes } of linesOf(path, offset)) {
    const parsed = bytes === null ? { problem: 'it is too long' } : parse(bytes);
    // Finding the line number takes another pass over the file, so only broken lines get one.
    if ('value' in parsed) yield { start, end, ...parsed };
    else yield { start, end, ...parsed, where: `${path}:${lineNumberAt(path, start)}` };
  }
}

function parse(bytes: Buffer): { value: Json } | { problem: string } {
  try {
    return { value: bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { problem: 'it is not JSON' };
  }
}
