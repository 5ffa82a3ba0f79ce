import { splitTitle } from '../curation/remember.ts';
import type { ObservationType } from '../model/memory.ts';

/** One note of an agent's memory files. */
export interface MdNote {
  title: string;
  subtitle: string;
  narrative: string;
  type: ObservationType | null;
}

/**
 * A file with front matter is one note. In other files each bullet with its indented text is a note, and so is the
 * rest of a section. A bullet that only links to a file is ignored.
 */
export function parseNotes(text: string, siblings: string[]): MdNote[] {
  const { front, body } = frontMatterOf(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (front) return wholeNote(front, body);
  return splitBlocks(body).flatMap((block) => noteOf(block, siblings));
}

export function hasFrontMatter(text: string): boolean {
  return /^\uFEFF?---\r?\n/.test(text);
}

function frontMatterOf(text: string): { front: Map<string, string> | null; body: string } {
  const found = /^---\n(.*?)\n---(?:\n|$)/s.exec(text);
  if (!found) return { front: null, body: text };
  const pairs = [...(found[1] ?? '').matchAll(/^[ \t]*([\w-]+):[ \t]*(.*)$/gm)];
  const front = new Map(
    pairs.map(([, key = '', value = '']) => [key, value.trim().replace(/^(["'])(.*)\1$/, '$2')]),
  );
  return { front, body: text.slice(found[0].length) };
}

function wholeNote(front: Map<string, string>, body: string): MdNote[] {
  const narrative = body.trim();
  const title = front.get('description') || front.get('name') || splitTitle(narrative).title;
  if (title === '') return [];
  const kind = front.get('type') ?? '';
  const type = kind === 'feedback' || kind === 'user' ? 'preference' : typeFor(front.get('name') ?? '');
  return [{ title: stripMarkdown(title), subtitle: '', narrative, type }];
}

interface Block {
  isBullet: boolean;
  headings: string[];
  /** The line before a list that introduces it. */
  lead: string;
  text: string;
}

const BULLET = /^(?:[-*+]|\d{1,3}[.)])\s+/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;

interface Reading {
  blocks: Block[];
  headings: string[];
  lead: string;
  current: { isBullet: boolean; lines: string[] } | null;
  /** The fence that ends the current code block; empty outside. */
  fence: string;
}

function splitBlocks(body: string): Block[] {
  const reading: Reading = { blocks: [], headings: [], lead: '', current: null, fence: '' };
  for (const line of body.split('\n')) readLine(reading, line);
  endBlock(reading);
  return reading.blocks;
}

function readLine(reading: Reading, line: string): void {
  const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? '';
  const heading = HEADING.exec(line);
  if (reading.fence !== '' || mark !== '') readCode(reading, line, mark);
  else if (heading) readHeading(reading, heading);
  else if (BULLET.test(line)) readBullet(reading, line);
  else if (endsList(reading, line)) {
    endBlock(reading);
    reading.lead = '';
    addLine(reading, line);
  } else addLine(reading, line.replace(/^ {1,4}/, ''));
}

function readCode(reading: Reading, line: string, mark: string): void {
  const isOutside = reading.fence === '';
  if (isOutside && reading.current?.isBullet && !/^\s/.test(line)) endBlock(reading);
  if (isOutside) reading.fence = mark;
  else if (mark === reading.fence) reading.fence = '';
  addLine(reading, line);
}

function readHeading(reading: Reading, [, marks = '', words = '']: RegExpExecArray): void {
  endBlock(reading);
  reading.lead = '';
  const above = reading.headings.slice(0, marks.length - 1);
  while (above.length < marks.length - 1) above.push('');
  reading.headings = [...above, stripMarkdown(words)];
}

function readBullet(reading: Reading, line: string): void {
  const { current } = reading;
  if (current && !current.isBullet && isLead(current.lines)) {
    reading.lead = stripMarkdown(current.lines.join(' ').trim().replace(/:$/, ''));
    reading.current = null;
  }
  endBlock(reading);
  reading.current = { isBullet: true, lines: [line.replace(BULLET, '')] };
}

/** A list ends with a blank line followed by text that is not indented. */
function endsList({ current }: Reading, line: string): boolean {
  return /^\S/.test(line) && current?.isBullet === true && current.lines.at(-1)?.trim() === '';
}

function addLine(reading: Reading, line: string): void {
  reading.current ??= { isBullet: false, lines: [] };
  reading.current.lines.push(line);
}

function endBlock(reading: Reading): void {
  const { blocks, headings, lead, current } = reading;
  const text = current?.lines.join('\n').trim() ?? '';
  if (current && text !== '')
    blocks.push({ isBullet: current.isBullet, headings: headings.filter(Boolean), lead, text });
  reading.current = null;
}

function isLead(lines: string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length === 1 && filled[0]?.trimEnd().endsWith(':') === true;
}

function noteOf({ isBullet, headings, lead, text }: Block, siblings: string[]): MdNote[] {
  const pointsTo = /^\[[^\]]*\]\(([^)#]+)/.exec(text)?.[1]?.replace(/^\.\//, '');
  if (isBullet && pointsTo !== undefined && siblings.includes(pointsTo.replaceAll('%20', ' '))) return [];
  const under = [...headings.filter((heading, level) => level > 0 || !/\bmemory\b/i.test(heading)), lead];
  const path = under.filter(Boolean);
  const type = typeFor(path.join(' '));
  const own = splitTitle(text);
  if (isBullet)
    return [{ title: stripMarkdown(own.title), subtitle: path.join(' › '), narrative: own.narrative, type }];
  const heading = path.at(-1);
  if (heading === undefined)
    return [{ title: stripMarkdown(own.title), subtitle: '', narrative: own.narrative, type }];
  return [{ title: heading, subtitle: path.slice(0, -1).join(' › '), narrative: text, type }];
}

function typeFor(words: string): ObservationType | null {
  if (/preferenc|conventions?\b|style\b/i.test(words)) return 'preference';
  if (/gotcha|pitfall|caveat|watch out/i.test(words)) return 'gotcha';
  if (/decision|decided/i.test(words)) return 'decision';
  if (/architecture|how .* works|overview/i.test(words)) return 'how-it-works';
  return null;
}

function stripMarkdown(text: string): string {
  return text.replace(/\*\*|__/g, '').trim();
}
