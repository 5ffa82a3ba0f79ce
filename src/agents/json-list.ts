import { parseJson } from '../model/json.ts';
import { CONFIG_LIMIT, readRegularFile } from '../platform/read-regular-file.ts';
import type { RecordSpan, TranscriptRecord, Transcripts } from './agent.ts';

/**
 * The part of `Transcripts` for a file with one JSON object that contains a growing list. Its items are the records,
 * with their offsets in the file. An incomplete item is left out.
 */
export function jsonList(key: string): Pick<Transcripts, 'readRecords' | 'isRecordStart'> {
  return {
    readRecords: (path, offset) => readItems(path, key, offset),
    isRecordStart: (path, offset) =>
      offset === 0 ||
      [...findItems(readBytes(path), key)].some(({ start, end }) => offset === start || offset === end),
  };
}

function* readItems(path: string, key: string, offset: number): Generator<TranscriptRecord> {
  const bytes = readBytes(path);
  for (const { start, end } of findItems(bytes, key)) {
    if (start < offset) continue;
    const value = parseJson(bytes.toString('utf8', start, end));
    if (value !== undefined) yield { start, end, value };
    else yield { start, end, where: `${path}, byte ${start}`, problem: 'it is not JSON' };
  }
}

function readBytes(path: string): Buffer {
  return readRegularFile(path, CONFIG_LIMIT) ?? Buffer.alloc(0);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The items of the list under this key of the outermost object. */
function* findItems(bytes: Buffer, key: string): Generator<RecordSpan> {
  let depth = 0;
  let lastText = '';
  let isInList = false;
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (depth === 1) lastText = bytes.toString('utf8', at + 1, end);
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === 1) isInList = byte === OPEN_LIST && lastText === key;
      depth += 1;
      if (depth === 3) start = at;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 2 && isInList) yield { start, end: at + 1 };
    }
  }
}

/** The offset of the closing quote. */
function endOfText(bytes: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
