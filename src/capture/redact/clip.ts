import { redactText } from './redact.ts';

/** Longer than any secret, so a secret that crosses a cut is complete in the redacted part and is found. */
const MARGIN = 8192;
const ROOM_FOR_MARK = 64;
const LONGEST_REDACTION_MARK = 32;
const MOST_ROUNDS = 4;

/** Redacts a text and, if it is too long, keeps its head and tail; the middle is never read. */
export function redactAndClip(text: string, maxText: number): string {
  if (text.length <= maxText) {
    const clean = redactText(text);
    return clean.length <= maxText ? clean : clip(clean, clean, clean.length, maxText);
  }
  const window = Math.ceil(maxText / 2) + MARGIN;
  const head = redactText(text.slice(0, window));
  const tail = redactText(text.slice(-window));
  return clip(head, tail, text.length, maxText);
}

/** The text at a cut may look like a secret only after cutting, and its mark may make the text too long again. */
function clip(head: string, tail: string, length: number, maxText: number): string {
  let clipped = redactText(cut(head, tail, length, maxText));
  for (let round = 1; round < MOST_ROUNDS && clipped.length > maxText; round++) {
    clipped = redactText(cut(clipped, clipped, length, maxText));
  }
  return clipped;
}

function cut(head: string, tail: string, length: number, maxText: number): string {
  const half = Math.max(0, Math.floor((maxText - ROOM_FOR_MARK) / 2));
  const start = head.slice(0, endOfHead(head, half));
  const end = tail.slice(startOfTail(tail, Math.max(0, tail.length - half)));
  const leftOut = Math.max(0, length - start.length - end.length);
  return `${start}\n[… ${leftOut} characters left out …]\n${end}`;
}

/** Where to cut near `wanted` without splitting a mark or a character. */
function endOfHead(text: string, wanted: number): number {
  const mark = markAcross(text, wanted);
  if (mark !== undefined) return mark.start;
  return isLowSurrogate(text, wanted) ? wanted - 1 : wanted;
}

function startOfTail(text: string, wanted: number): number {
  const mark = markAcross(text, wanted);
  if (mark !== undefined) return mark.end;
  return isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
}

function markAcross(text: string, index: number): { start: number; end: number } | undefined {
  const from = Math.max(0, index - LONGEST_REDACTION_MARK);
  for (const mark of text
    .slice(from, index + LONGEST_REDACTION_MARK)
    .matchAll(/\[(?:redacted:[\w-]+|private)\]/g)) {
    const start = from + mark.index;
    const end = start + mark[0].length;
    if (start < index && index < end) return { start, end };
  }
  return undefined;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
