import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { HandoffParts } from '../../model/work.ts';

const TEXTS = ['goal', 'state', 'note'] as const;
const LISTS = ['decisions', 'deadEnds', 'questions', 'nextSteps'] as const;
const NAMES = [...TEXTS, ...LISTS, 'files'] as const;
type PartName = (typeof NAMES)[number];

/** Parses a handoff written by its author: JSON with its parts, or Markdown with a heading for each part. */
export function parseHandoff(text: string): Partial<HandoffParts> | { problem: string } {
  if (text.trim() === '') return { problem: 'stdin is empty.' };
  if (!/^\s*\{/.test(text)) return fromMarkdown(text);
  try {
    const parts: Json = JSON.parse(text);
    return isObject(parts) ? fromJson(parts) : { problem: 'The JSON on stdin is not an object.' };
  } catch {
    return { problem: 'stdin starts with { but is not valid JSON.' };
  }
}

function fromJson(fields: JsonObject): Partial<HandoffParts> | { problem: string } {
  const parts: Partial<HandoffParts> = {};
  for (const [key, value] of Object.entries(fields)) {
    const name = NAMES.find((known) => known === key);
    if (!name) return { problem: `A handoff has no part "${key}". Its parts: ${NAMES.join(', ')}.` };
    const lines = linesFrom(value);
    if (lines === null) return { problem: `${name} must be a text or a list of texts.` };
    put(parts, name, lines);
  }
  return parts;
}

/** Accepts a text, or a list of texts and of files with actions. */
function linesFrom(value: Json): string[] | null {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  const lines = value.map((item) => {
    if (typeof item === 'string') return item;
    if (!isObject(item) || typeof item.path !== 'string') return null;
    return typeof item.what === 'string' && item.what !== '' ? `${item.path}: ${item.what}` : item.path;
  });
  return lines.some((line) => line === null) ? null : lines.filter((line) => line !== null);
}

/** Text before the first heading or below an unknown heading becomes the note. */
function fromMarkdown(text: string): Partial<HandoffParts> {
  const parts: Partial<HandoffParts> = {};
  const sections = text.split(/^(?=#{1,6}\s)/m);
  const notes: string[] = [];
  for (const section of sections) {
    const [, heading = '', body = ''] = /^#{1,6}\s+([^\n]*)\n?([\s\S]*)$/.exec(section) ?? [];
    const name = NAMES.find(
      (known) => wordsOf(known) === wordsOf(heading) || OTHER_NAMES[wordsOf(heading)] === known,
    );
    if (name && name !== 'note') put(parts, name, isText(name) ? [body] : itemsIn(body));
    else notes.push(name === 'note' ? body : section);
  }
  put(parts, 'note', [notes.join('\n')]);
  return parts;
}

const OTHER_NAMES: Record<string, PartName> = { openquestions: 'questions', next: 'nextSteps' };

function wordsOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Each bullet or number starts an item. Other lines continue the previous item. */
function itemsIn(body: string): string[] {
  const items: string[] = [];
  for (const line of body.split('\n')) {
    const item = /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1];
    if (item !== undefined || items.length === 0) items.push(item ?? line);
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return items;
}

function put(parts: Partial<HandoffParts>, name: PartName, lines: string[]): void {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (texts.length === 0) return;
  const items = texts.flatMap((line) => (texts.length === 1 ? itemsIn(line) : [line]));
  if (isText(name)) parts[name] = texts.join('\n');
  else if (name === 'files') parts.files = items.map(fileFrom);
  else parts[name] = items;
}

function fileFrom(line: string): HandoffParts['files'][number] {
  const [, path = line, what = ''] = /^`?([^\s`:]+)`?:?\s+(.+)$/s.exec(line) ?? [];
  return { path: path.replaceAll('`', ''), what: what.replace(/^[-–—]\s+/, '') };
}

function isText(name: PartName): name is (typeof TEXTS)[number] {
  return TEXTS.some((known) => known === name);
}
