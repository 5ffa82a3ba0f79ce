import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../../model/json.ts';

/**
 * Edits of a JSON text that keep every other byte: comments, trailing commas, line endings, tabs. jsonc-parser finds
 * the positions; its own `modify` would also reformat the lines around them.
 */

export interface TextEdit {
  offset: number;
  removed: string;
  inserted: string;
}

export class InvalidJsonError extends Error {
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(text: string, offset: number, reason: string) {
    super(reason);
    this.offset = offset;
    const before = text.slice(0, offset).split(/\r\n|\n|\r/);
    this.line = before.length;
    this.column = (before.at(-1) ?? '').length + 1;
  }
}

/** The top-level value; undefined if there is only white space and comments. */
export function parseJsonText(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(removeByteOrderMark(text), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const first = errors[0];
  if (first)
    throw new InvalidJsonError(text, first.offset, describeErrorCode(printParseErrorCode(first.error)));
  return root;
}

/** If a key occurs twice the last one counts, as in every JSON parser. */
export function findProperty(object: Node | undefined, key: string): Node | undefined {
  return listProperties(object).findLast((property) => property.key === key)?.value;
}

export function listProperties(object: Node | undefined): { key: string; value: Node; index: number }[] {
  if (object?.type !== 'object') return [];
  return (object.children ?? []).flatMap((child, index) => {
    const [key, value] = child.children ?? [];
    return key && value ? [{ key: String(key.value), value, index }] : [];
  });
}

export function replaceValue(text: string, node: Node, value: Json): TextEdit {
  const removed = text.slice(node.offset, endOf(node));
  return { offset: node.offset, removed, inserted: JSON.stringify(value) };
}

/** For a text without a value. */
export function addWholeValue(text: string, value: Json): TextEdit {
  const eol = lineEndOf(text);
  const separator = text === '' || text === '\uFEFF' || /[\r\n]$/.test(text) ? '' : eol;
  const inserted = `${separator}${JSON.stringify(value, null, 2).replaceAll('\n', eol)}${eol}`;
  return { offset: text.length, removed: '', inserted };
}

/** Appends an element to an array, or with a key a property to an object. Apply the edits in order. */
export function appendItem(text: string, container: Node, value: Json, key?: string): TextEdit[] {
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  const hasTrailingComma = last !== undefined && commaAfter(text, endOf(last)) !== undefined;
  const content = withoutEndSpace(text.slice(0, close)).length;
  const gap = text.slice(content, close);

  const body = text.slice(container.offset, close);
  const isInline = last ? !hasLineEnd(body) : isOneLine(text);
  const separator = last && /[,:] /.test(body) ? ' ' : '';
  const label = key === undefined ? '' : `${JSON.stringify(key)}:`;
  const item = isInline
    ? `${separator}${label}${JSON.stringify(value)}`
    : formatOnLines(text, container, label && `${label} `, value);
  const end = isInline || hasLineEnd(gap) ? gap : `${lineEndOf(text)}${indentAt(text, container.offset)}`;

  const added: TextEdit = {
    offset: content,
    removed: gap,
    inserted: `${item}${hasTrailingComma ? ',' : ''}${end}`,
  };
  if (!last || hasTrailingComma) return [added];
  return [added, { offset: endOf(last), removed: '', inserted: ',' }];
}

/** Removes a child with its comma and its line; comments around it stay. Apply the edits in order. */
export function removeChild(text: string, container: Node, index: number): TextEdit[] {
  const children = container.children ?? [];
  const child = children[index];
  if (!child) return [];
  const end = endOf(child);
  const previous = children[index - 1];
  const ownComma = commaAfter(text, end);
  const comma = ownComma ?? (previous && commaAfter(text, endOf(previous)));

  const lead = withoutEndSpace(text.slice(0, child.offset)).length;
  const afterwards = (ownComma ?? end - 1) + 1;
  const restOfLine = /^[^\r\n]*/.exec(text.slice(afterwards))?.[0] ?? '';
  const staysOnLine = !hasLineEnd(text.slice(lead, child.offset));
  const next = children[index + 1];

  if (next && /^[ \t]*,[ \t]*$/.test(text.slice(end, next.offset))) {
    return [removeRange(text, child.offset, next.offset)];
  }
  if (children.length === 1 && isBlank(contentAround(text, container, child, ownComma))) {
    return [removeRange(text, container.offset + 1, endOf(container) - 1)];
  }
  // Text after it on the same line must not end up in a line comment.
  const start = staysOnLine || isBlank(restOfLine) ? lead : child.offset;
  const edits = [removeRange(text, start, end)];
  if (comma !== undefined) edits.push(removeRange(text, comma, comma + 1));
  return edits.sort((a, b) => b.offset - a.offset);
}

export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.offset) + edit.inserted + text.slice(edit.offset + edit.removed.length);
}

function formatOnLines(text: string, container: Node, label: string, value: Json): string {
  const eol = lineEndOf(text);
  const unit = indentUnitOf(text);
  const first = container.children?.[0];
  const own = first && startsItsLine(text, first.offset) ? indentAt(text, first.offset) : undefined;
  const indent = own ?? indentAt(text, container.offset) + unit;
  return `${eol}${indent}${label}${JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)}`;
}

function contentAround(text: string, container: Node, child: Node, comma: number | undefined): string {
  const before = text.slice(container.offset + 1, child.offset);
  const after = text.slice(endOf(child), endOf(container) - 1);
  return before + (comma === undefined ? after : after.replace(',', ''));
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(removeByteOrderMark(text), true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

function isOneLine(text: string): boolean {
  const root = parseTree(removeByteOrderMark(text), [], { allowTrailingComma: true });
  if (!root?.children?.length) return false;
  return !hasLineEnd(text.slice(root.offset, endOf(root)));
}

function hasLineEnd(text: string): boolean {
  return /[\r\n]/.test(text);
}

function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function indentUnitOf(text: string): string {
  return /^([ \t]+)["{[\]}]/m.exec(text)?.[1] ?? '  ';
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

function startsItsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf('\n', offset - 1)), offset));
}

export function removeRange(text: string, from: number, to: number): TextEdit {
  return { offset: from, removed: text.slice(from, to), inserted: '' };
}

/** A byte order mark is not valid JSON; a space keeps every offset. */
export function removeByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

function withoutEndSpace(text: string): string {
  return text.replace(/[ \t\r\n]+$/, '');
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** "CommaExpected" → "comma expected". */
function describeErrorCode(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
