import { options } from '../../phrases/choices.ts';
import { MARKERS } from '../rating/markers.ts';
import { capitalise } from './capitals.ts';
import { isLabelLine, roleOfLabel, splitLabel } from './labels.ts';
import { stripMarkup, stripScaffolding } from './plain.ts';
import { hasQuestion, ownSentenceEnd } from './punctuation.ts';
import { cellsOf, describeRow } from './table.ts';

/** One sentence, list item or table row, with what is known of where it stood. */
export interface Sentence {
  /** Without markdown. */
  text: string;
  /** The heading, or the words before a colon, under which it stands; lower case, may be empty. */
  under: string;
  /** Sentences of one paragraph or list item have the same number. */
  block: number;
  inList: boolean;
  /** The number of its item in a numbered list. */
  item?: number;
  /** What stood in code spans. */
  code: string[];
}

/** How far a text has been read. */
interface Reading {
  found: Sentence[];
  heading: string;
  /** A short line that ends in a colon; holds for the list or paragraph after it. */
  lead: string;
  leadInUse: boolean;
  block: number;
  paragraph: string[];
  /** How many sentences there were before the last row of a table. */
  tableRow: number;
  /** The cells of that row, and those of the table's head. */
  cells: string[];
  columns: string[];
  /** Whether the text ends with a question: what it lists before may be to choose from. */
  asksAtEnd: boolean;
}

/** What is longer has lost its full stops: a dump, a list in one line. */
export const LONGEST_SENTENCE = 1_200;

const listItem = /^\s*(?:[-*+•・]|(\d{1,3})[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const heading = /^\s{0,3}#{1,6}\s+(.*?)#*\s*$/;
const tableRule = /^[\s:|-]+$/;
/** “**Login.kt** — takes the api”: as good as a list item. */
const boldStart = /^\s*\*\*[^*]+\*\*\s*[:—–-]|^\s*\*\*[^*]+:\*\*/;
const wholeLineBold = /^\s*\*\*([^*:]+)\*\*\s*$/;

export function readSentences(text: string): Sentence[] {
  const reading: Reading = {
    found: [],
    heading: '',
    lead: '',
    leadInUse: false,
    block: 0,
    paragraph: [],
    tableRow: Infinity,
    cells: [],
    columns: [],
    asksAtEnd: hasQuestion(text.slice(-LAST_WORDS)),
  };
  const lines = stripScaffolding(text)
    .split('\n')
    .filter((line) => !/^\s*>/.test(line));
  for (const [index, line] of lines.entries())
    readLine(reading, isHeadOfList(line, lines[index + 1]) ? `${line}:` : line);
  endParagraph(reading);
  return reading.found;
}

function readLine(reading: Reading, line: string): void {
  const title = heading.exec(line)?.[1] ?? wholeLineBold.exec(line)?.[1];
  const item = listItem.exec(line);
  const isText = title === undefined && !item && !isBreak(line) && !isTableRow(line);
  if (!isText || boldStart.test(line)) endParagraph(reading);
  if (title !== undefined) readHeading(reading, title);
  else if (item) readListItem(reading, item);
  else if (isBreak(line)) readBreak(reading, line);
  else if (isTableRow(line)) readTableRow(reading, line);
  else readParagraphLine(reading, line);
}

/** “What I changed (only values.yaml)” above a list is its heading, also without a colon. */
function isHeadOfList(line: string, next = ''): boolean {
  const words = line.trim();
  return (
    listItem.test(next) &&
    !listItem.test(line) &&
    words.length > 0 &&
    words.length <= 60 &&
    /[\p{L}\p{N})*]$/u.test(words)
  );
}

function isBreak(line: string): boolean {
  return line.trim() === '' || tableRule.test(line);
}

function isTableRow(line: string): boolean {
  return line.trimStart().startsWith('|');
}

function endParagraph(reading: Reading): void {
  if (reading.paragraph.length === 0) return;
  reading.found.push(...sentencesOfBlock(reading.paragraph.join(' '), reading, false));
  reading.paragraph = [];
}

function readHeading(reading: Reading, title: string): void {
  reading.heading = stripMarkup(title).toLowerCase();
  reading.lead = '';
}

function readListItem(reading: Reading, [, number, box, words = '']: RegExpExecArray): void {
  const under = box === ' ' ? { ...reading, lead: 'to do' } : reading;
  reading.leadInUse = true;
  const sentences = sentencesOfBlock(words, under, true);
  reading.found.push(...(number ? sentences.map((each) => ({ ...each, item: Number(number) })) : sentences));
  reading.block++;
}

/** The row above the rule of a table only names the columns. */
function readBreak(reading: Reading, line: string): void {
  const isRule = line.includes('|');
  if (isRule) reading.found.length = Math.min(reading.found.length, reading.tableRow);
  reading.columns = isRule ? reading.cells : [];
  if (!isRule) reading.cells = [];
}

function readTableRow(reading: Reading, line: string): void {
  const isFirstRow = reading.cells.length === 0;
  if (reading.leadInUse && isFirstRow) reading.lead = '';
  reading.leadInUse = true;
  reading.tableRow = reading.found.length;
  reading.cells = cellsOf(line);
  const row = describeRow(reading);
  if (row !== '') reading.found.push(...sentencesOfBlock(row, reading, true));
}

function readParagraphLine(reading: Reading, line: string): void {
  const isFirstLine = reading.paragraph.length === 0;
  const continuesItem = isFirstLine && /^\s{2,}\S/.test(line) && reading.found.length > 0;
  if (reading.leadInUse && isFirstLine && !continuesItem) reading.lead = '';
  if (reading.lead === '') reading.leadInUse = false;
  if (isFirstLine && isLabelLine(line)) {
    reading.lead = stripMarkup(line)
      .replace(/[:：\s]+$/, '')
      .toLowerCase();
    reading.leadInUse = false;
  } else reading.paragraph.push(line.trim());
}

function sentencesOfBlock(markdown: string, reading: Reading, inList: boolean): Sentence[] {
  const block = ++reading.block;
  const { label, rest } = splitLabel(markdown);
  const under = label || reading.lead || reading.heading;
  const topic = inList && label === '' ? topicOf(reading) : '';
  if (reading.lead !== '' && !inList) reading.leadInUse = true;
  return splitSentences(label === '' ? topic + rest : withLabel(label, capitalise(rest)))
    .map((raw) => raw.slice(0, LONGEST_SENTENCE))
    .map((raw) => ({ text: stripMarkup(raw), under, block, inList, code: codeIn(raw) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** “Left out on purpose: `src/signs.js`.” says nothing without its label. */
function withLabel(label: string, rest: string): string {
  const [first = ''] = splitSentences(rest);
  return /^`[^`]+`[.:]?$/.test(first) && roleOfLabel(label) === 'decision'
    ? `${capitalise(label)}: ${rest}`
    : rest;
}

const LAST_WORDS = 300;

/**
 * “Ruled out:” before a list turns each of its items round, and what could be done is not what was done; other words
 * before a list only say what they are.
 */
function topicOf({ lead, heading, asksAtEnd }: Reading): string {
  if (asksAtEnd && options.test(lead || heading)) return 'Option: ';
  const turnsRound = MARKERS.refutation.test(lead) || MARKERS.negation.test(lead) || MARKERS.open.test(lead);
  return turnsRound && lead.split(' ').length <= 4 ? `${capitalise(lead)}: ` : '';
}

function codeIn(markdown: string): string[] {
  return [...markdown.matchAll(/`+([^`\n]+)`+/g)].map(([, code = '']) => code.trim());
}

const abbreviation =
  /(?:(?<![\p{L}\p{N}_'’])(?:e\.g|i\.e|etc|vs|cf|approx|resp|ca|fig|st|mr|mrs|dr|incl|excl|max|min|prob|no|nr|vol|ver|z\.\s?B|d\.\s?h|u\.\s?a|bzw|usw|ggf|evtl|inkl|p\.\s?ej|p\.\s?ex|т\.\s?е|т\.\s?к|т\.\s?д|(?<!\d[\s.])\p{L})|^\s*\d{1,3})\.$/iu;
const month = /^\s+(?:Jan|Feb|Mär|Maer|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

const date = /(?<![\d.])\d{1,2}\.\d{1,2}\.$/;

/** Splits where a sentence ends: not in a code span, not after an abbreviation, not inside a name like `a.ts`. */
export function splitSentences(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let inCode = false;
  for (let at = 0; at < paragraph.length; at++) {
    const char = paragraph[at] ?? '';
    if (char === '`') inCode = !inCode && paragraph.indexOf('`', at + 1) !== -1;
    if (inCode || !isSentenceEnd(paragraph, at, start)) continue;
    let end = at + 1;
    const closing = ownSentenceEnd.test(char) ? /[)）"”’」』*_]/ : /[)"'”’*_]/;
    while (end < paragraph.length && closing.test(paragraph[end] ?? '')) end++;
    sentences.push(paragraph.slice(start, end));
    start = end;
    at = end - 1;
  }
  sentences.push(paragraph.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

function isSentenceEnd(text: string, at: number, start: number): boolean {
  const char = text[at] ?? '';
  if (ownSentenceEnd.test(char))
    return !'）」』'.includes(text[at + 1] || ' ') && !ownSentenceEnd.test(text[at + 1] ?? '');
  if (!'.!?'.includes(char)) return false;
  const after = text.slice(at + 1, at + 8);
  if (!/^[)"'”’*_]{0,3}\s+["'“(*_`[¿¡]*[\p{L}\p{N}`/@-]/u.test(`${after} `)) return false;
  if (char !== '.') return true;
  // “am 29. März” goes on, and so does “am 31.10. erneuert”.
  if (/\d/.test(text[at - 1] ?? '') && month.test(after)) return false;
  if (date.test(text.slice(Math.max(start, at - 6), at + 1)) && /^\s+\p{Ll}/u.test(after)) return false;
  return !abbreviation.test(text.slice(Math.max(start, at - 12), at + 1));
}
