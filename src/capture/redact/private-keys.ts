import type { Anchors } from './anchors.ts';
import { type Edit, mergeEdits, NO_EDITS } from './edits.ts';
import { PRIVATE_KEY_GROUP } from './scan.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PUTTY = /Private-Lines: {0,2}\d{1,4}/g;
const BODY = /[A-Za-z0-9+/=]{16}/;
const KIND = 'private-key';
const LONGEST_KEY = 65_536;
/** The prefix of a key's line may be a diff mark or a line number. */
const LONGEST_PREFIX = 12;

/**
 * Finds PEM, PGP and PuTTY private keys, also with diff marks or line numbers before each line and with escaped
 * newlines. A key without its end extends to its last base64 line, a key without its beginning starts at its first:
 * clipped texts and patches contain such parts.
 */
export function findPrivateKeys(text: string, anchors: Anchors): Edit[] {
  if (anchors.counts[PRIVATE_KEY_GROUP] === 0) return NO_EDITS;
  const putty = text.includes('Private-Lines:') ? findPutty(text) : [];
  if (!text.includes('PRIVATE KEY')) return putty;
  const begins = [...text.matchAll(BEGIN)].map((hit) => ({
    start: hit.index,
    end: hit.index + hit[0].length,
  }));
  const ends = [...text.matchAll(END)].map((hit) => ({ start: hit.index, end: hit.index + hit[0].length }));
  const whole = fromBeginnings(text, begins, ends);
  return mergeEdits([...whole, ...fromEndings(text, begins, ends, whole), ...putty]);
}

interface Line {
  start: number;
  end: number;
}

/** From each beginning to its end, but not into the next key, so every part of the text is read once. */
function fromBeginnings(text: string, begins: Line[], ends: Line[]): Edit[] {
  const edits: Edit[] = [];
  let nextEnd = 0;
  for (const [number, begin] of begins.entries()) {
    while ((ends[nextEnd]?.start ?? Number.POSITIVE_INFINITY) < begin.end) nextEnd++;
    const limit = Math.min(begins[number + 1]?.start ?? text.length, begin.end + LONGEST_KEY);
    const end = ends[nextEnd];
    const closed = end !== undefined && end.start < limit;
    const bodyEnd = closed ? end.start : begin.end + lengthOfBody(text.slice(begin.end, limit));
    if (!BODY.test(text.slice(begin.end, bodyEnd))) continue;
    edits.push({ start: begin.start, end: closed ? end.end : bodyEnd, kind: KIND });
  }
  return edits;
}

function fromEndings(text: string, begins: Line[], ends: Line[], whole: Edit[]): Edit[] {
  const taken = new Set(whole.map((edit) => edit.end));
  const edits: Edit[] = [];
  let previous = 0;
  let nextBegin = 0;
  for (const end of ends) {
    for (
      let begin = begins[nextBegin];
      begin !== undefined && begin.end <= end.start;
      begin = begins[++nextBegin]
    ) {
      previous = begin.end;
    }
    if (!taken.has(end.end)) {
      const length = lengthOfTail(text.slice(Math.max(previous, end.start - LONGEST_KEY), end.start));
      if (length > 0) edits.push({ start: end.start - length, end: end.end, kind: KIND });
    }
    previous = end.end;
  }
  return edits;
}

/** The private lines of a PuTTY key, up to the next key at most. */
function findPutty(text: string): Edit[] {
  const edits: Edit[] = [];
  const headers = [...text.matchAll(PUTTY)];
  for (const [number, header] of headers.entries()) {
    const start = header.index + header[0].length;
    const limit = Math.min(headers[number + 1]?.index ?? text.length, start + LONGEST_KEY);
    const length = lengthOfBody(text.slice(start, limit));
    if (length > 0) edits.push({ start, end: start + length, kind: KIND });
  }
  return edits;
}

const AFTER_NEWLINE = /(?<=\\[rn]|[\r\n])/;
const NEWLINE = /(?:\\{1,8}[rn]|[\r\n])$/;
/** A line of a key: a prefix and base64, or one of the old header lines. */
const KEY_LINE =
  /^.{0,12}?(?:[A-Za-z0-9+/]{16,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [\w .,-]{0,80})/;
/** The rest of the last line, or the checksum of a PGP key. */
const LAST_LINE =
  /^[^A-Za-z0-9+/=]{0,4}(?:\d{1,4}[\t:|→ ]{1,3})?(?:[A-Za-z0-9+/]{1,15}={0,2}|=[A-Za-z0-9+/]{4})$/;

/** The length of the text after a beginning that belongs to the key. */
function lengthOfBody(text: string): number {
  let length = 0;
  let position = 0;
  for (const line of text.split(AFTER_NEWLINE)) {
    const bare = line.replace(NEWLINE, '');
    const key = KEY_LINE.exec(bare)?.[0];
    if (key !== undefined) length = position + key.length;
    else if (length > 0 && LAST_LINE.test(bare)) return position + bare.length;
    if (key === undefined ? bare.length > LONGEST_PREFIX : key.length < bare.length) break;
    position += line.length;
  }
  return length;
}

/** The length of the text before an end that belongs to the key. */
function lengthOfTail(text: string): number {
  let length = 0;
  let position = 0;
  for (const line of text.split(AFTER_NEWLINE).reverse()) {
    const bare = line.replace(NEWLINE, '');
    const key = base64AtEnd(bare);
    const isLast = length === 0 && position <= LONGEST_PREFIX && key > 0;
    if (key >= 16 || isLast) length = position + line.length - bare.length + key;
    if (bare.length - (key >= 16 || isLast ? key : 0) > LONGEST_PREFIX) break;
    position += line.length;
  }
  return length >= 16 ? length : 0;
}

function base64AtEnd(line: string): number {
  let start = line.length;
  while (start > 0 && line.charAt(start - 1) === '=') start--;
  while (start > 0 && /[A-Za-z0-9+/]/.test(line.charAt(start - 1))) start--;
  return line.length - start;
}
