import type { Json } from '../../model/json.ts';
import { listField, textField } from '../offline/calls/response.ts';
import type { TurnCall } from '../turn.ts';

/** Unchanged lines are shown only next to a changed one. */
const NEIGHBOURS = 1;
const MOST_LINES = 200;
const MOST_CHARACTERS = 20_000;

/** The change of a call as a short diff; for a new file its beginning. */
export function formatDiff({ input, response }: TurnCall): string {
  const patched = listField(response, 'structuredPatch').map((hunk) => hunkText(listField(hunk, 'lines')));
  if (patched.length > 0) return patched.join('\n@@\n');

  const edits = listField(input, 'edits');
  const pairs = (edits.length > 0 ? edits : [input]).map(fromPair).filter((text) => text !== '');
  if (pairs.length > 0) return pairs.join('\n@@\n');

  const content = textField(input, 'content') ?? textField(input, 'new_source');
  if (content !== undefined)
    return linesOf(content)
      .map((line) => `+${line}`)
      .join('\n');
  return textField(input, 'patch') ?? textField(input, 'input') ?? '';
}

function fromPair(edit: Json): string {
  const before = textField(edit, 'old_string');
  const after = textField(edit, 'new_string');
  if (before === undefined || after === undefined) return '';
  return hunkText(compare(linesOf(before), linesOf(after)));
}

/** Common prefix and suffix are unchanged; the rest was replaced. Enough for an edit, which is one place. */
function compare(before: string[], after: string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...before.slice(0, head).map((line) => ` ${line}`),
    ...before.slice(head, before.length - tail).map((line) => `-${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+${line}`),
    ...before.slice(before.length - tail).map((line) => ` ${line}`),
  ];
}

function hunkText(given: Json[]): string {
  const lines = given.filter((line) => typeof line === 'string').slice(0, MOST_LINES);
  const stayed = (line: string | undefined) => line === undefined || line.startsWith(' ');
  return lines
    .filter((line, at) => {
      const around = lines.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
      return !stayed(line) || !around.every(stayed);
    })
    .join('\n');
}

function linesOf(text: string): string[] {
  return text.slice(0, MOST_CHARACTERS).split('\n');
}
