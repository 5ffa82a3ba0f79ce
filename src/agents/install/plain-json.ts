import { createScanner } from 'jsonc-parser';
import { applyEdit, InvalidJsonError, removeByteOrderMark, removeRange, type TextEdit } from './json-text.ts';

/**
 * Claude Code reads its settings as plain JSON: if there is a comment or a trailing comma, it ignores the whole file
 * and runs none of its hooks.
 */

export class NotPlainJsonError extends InvalidJsonError {}

/** The first position that is not plain JSON, or null. */
export function findNotPlain(text: string): NotPlainJsonError | null {
  const [first] = findExtras(text);
  if (!first) return null;
  const place = first.offset + first.removed.search(/\S/);
  return new NotPlainJsonError(
    text,
    place,
    `a ${text[place] === ',' ? 'trailing comma' : 'comment'} is not allowed`,
  );
}

/** The text without comments and trailing commas, and the edits that restore them. */
export function makePlain(text: string): { text: string; undo: TextEdit[] } {
  const extras = findExtras(text);
  return {
    text: extras.reduceRight(applyEdit, text),
    undo: extras.map(({ offset, removed }) => ({ offset, removed: '', inserted: removed })),
  };
}

function findExtras(text: string): TextEdit[] {
  const scanner = createScanner(removeByteOrderMark(text), false);
  const cuts: TextEdit[] = [];
  let comma: number | undefined;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const [start, end] = [scanner.getTokenOffset(), scanner.getPosition()];
    const token = text.slice(start, end);
    if (/^\/[/*]/.test(token)) cuts.push(cutComment(text, start, end));
    else if (/\S/.test(token.replace('\uFEFF', ' '))) {
      if (/^[}\]]$/.test(token) && comma !== undefined) cuts.push(removeRange(text, comma, comma + 1));
      comma = token === ',' ? start : undefined;
    }
  }
  return cuts.sort((a, b) => a.offset - b.offset);
}

/** Removes the comment, with its line if nothing else is on it. */
function cutComment(text: string, start: number, end: number): TextEdit {
  const before = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const from = start - before.length;
  const lineEnd = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0];
  const isAlone = lineEnd !== undefined && /^$|[\r\n]/.test(text.slice(0, from).slice(-1));
  return removeRange(text, from, isAlone ? end + lineEnd.length : end);
}
