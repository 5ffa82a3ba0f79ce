import { redactionMark } from './mark.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const BODY = /[A-Za-z0-9+/=]{16}/;
const MARK = redactionMark('private-key');
const LONGEST_KEY = 65_536;
/** What may stand before a key's line: a diff mark, a line number. */
const LONGEST_DRESS = 12;

/**
 * Replaces PEM and PGP private keys, in any dress: diff marks or line numbers before each line, newlines
 * escaped. A key without its end goes up to its last line of base64, one without its beginning from its
 * first, since clipped texts and patches show such parts.
 */
export function redactPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  return redactEndings(redactBeginnings(text));
}

function redactBeginnings(text: string): string {
  let clean = '';
  let copied = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    const bodyStart = BEGIN.lastIndex;
    const body = text.slice(bodyStart, bodyLimit(text, bodyStart));
    END.lastIndex = 0;
    const end = END.exec(body);
    const bodyLength = end === null ? lengthOfBody(body) : end.index;
    if (!BODY.test(body.slice(0, bodyLength))) continue;
    clean += text.slice(copied, begin.index) + MARK;
    copied = bodyStart + (end === null ? bodyLength : END.lastIndex);
    BEGIN.lastIndex = copied;
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** A body never reaches into the next key. */
function bodyLimit(text: string, from: number): number {
  const next = text.slice(from, from + LONGEST_KEY).indexOf('-----BEGIN');
  return from + (next === -1 ? LONGEST_KEY : next);
}

const AFTER_NEWLINE = /(?<=\\[rn]|[\r\n])/;
const NEWLINE = /(?:\\{1,8}[rn]|[\r\n])$/;
/** A line of a key from its start: its dress, then base64; or one of the old header lines. */
const KEY_LINE =
  /^.{0,12}?(?:[A-Za-z0-9+/]{16,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [\w .,-]{0,80})/;

/** How much of the text after a beginning belongs to the key. */
function lengthOfBody(text: string): number {
  let length = 0;
  let position = 0;
  for (const line of text.split(AFTER_NEWLINE)) {
    const bare = line.replace(NEWLINE, '');
    const key = KEY_LINE.exec(bare)?.[0];
    if (key !== undefined) length = position + key.length;
    if (key === undefined ? bare.length > LONGEST_DRESS : key.length < bare.length) break;
    position += line.length;
  }
  return length;
}

function redactEndings(text: string): string {
  let clean = '';
  let copied = 0;
  let previous = 0;
  END.lastIndex = 0;
  for (let end = END.exec(text); end !== null; end = END.exec(text)) {
    const before = text.slice(Math.max(previous, end.index - LONGEST_KEY), end.index);
    const length = lengthOfTail(before);
    previous = END.lastIndex;
    if (length === 0) continue;
    clean += text.slice(copied, end.index - length) + MARK;
    copied = previous;
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** How much of the text before an end belongs to the key. */
function lengthOfTail(text: string): number {
  let length = 0;
  let position = 0;
  for (const line of text.split(AFTER_NEWLINE).reverse()) {
    const bare = line.replace(NEWLINE, '');
    const key = base64AtEnd(bare);
    if (key >= 16) length = position + line.length - bare.length + key;
    if (bare.length - (key >= 16 ? key : 0) > LONGEST_DRESS) break;
    position += line.length;
  }
  return length;
}

function base64AtEnd(line: string): number {
  let start = line.length;
  while (start > 0 && line.charAt(start - 1) === '=') start--;
  while (start > 0 && /[A-Za-z0-9+/]/.test(line.charAt(start - 1))) start--;
  return line.length - start;
}
