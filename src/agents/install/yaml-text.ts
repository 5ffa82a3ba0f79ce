import { type Document, isMap, isScalar, type Node, type Pair, parseDocument } from 'yaml';
import { InvalidJsonError, type TextEdit } from './json-text.ts';

/** Positions in a YAML text, for edits that keep the rest. */

/** Throws unless the text is a single map or empty. */
export function parseYaml(text: string): Document {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [problem] = document.errors;
  if (problem) throw new InvalidJsonError(text, problem.pos[0], withoutPlace(problem.message));
  const root = document.contents;
  if (root !== null && !isMap(root) && !(isScalar(root) && root.value === null))
    throw new InvalidJsonError(text, 0, 'the top level is not a map');
  return document;
}

/** Removes line and column from the parser's message, because `InvalidJsonError` adds them. */
function withoutPlace(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

/** Inserts whole lines after the line that contains the offset. */
export function insertLines(text: string, offset: number, lines: string, eol: string): TextEdit {
  const place = lineEnd(text, offset);
  const isCut = place > 0 && text[place - 1] !== '\n';
  return { offset: place, removed: '', inserted: isCut ? eol + lines.slice(0, -eol.length) : lines };
}

export function startOf(node: unknown): number {
  return rangeOf(node, 'start')[0];
}

/** The end of the value, without the comments after it. */
export function endOf(node: unknown): number {
  return rangeOf(node, 'end')[1];
}

function rangeOf(node: unknown, side: 'start' | 'end'): [number, number] {
  if (isPairNode(node)) return rangeOf(side === 'start' ? node.key : (node.value ?? node.key), side);
  const range = (node as Node | undefined)?.range;
  if (!range) throw new Error('a parsed node has a range');
  return [range[0], range[1]];
}

function isPairNode(node: unknown): node is Pair {
  return typeof node === 'object' && node !== null && 'key' in node && 'value' in node && !('range' in node);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the line break, or at the end of the text. An offset at the beginning of a line belongs to the line before. */
export function lineEnd(text: string, offset: number): number {
  if (offset === 0 || text[offset - 1] === '\n') return offset;
  const next = text.indexOf('\n', offset);
  return next === -1 ? text.length : next + 1;
}
