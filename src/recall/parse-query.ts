import { STOP_WORDS } from '../indexing/stop-words.ts';
import { findNearest } from '../model/find-nearest.ts';
import { OBSERVATION_TYPES } from '../model/memory.ts';
import { typoCost, typoLimit } from '../model/typo-cost.ts';
import { parseDate } from './dates.ts';
import { splitQuery } from './query-pieces.ts';
import type { HitKind } from './request.ts';

export interface ParsedQuery {
  /** The remaining words, phrases included. */
  words: string;
  phrases: string[];
  without: string[];
  kinds: HitKind[];
  /** kind:error. Without other kinds only errors are wanted. */
  asksForErrors: boolean;
  types: string[];
  files: string[];
  projects: string[];
  branches: string[];
  agents: string[];
  since: number | null;
  before: number | null;
  /** Operators that are misspelled or have an unknown value; they count as plain text. Worded for the person. */
  problems: string[];
}

const MEMORY_KINDS: readonly string[] = ['observation', 'summary', 'note', 'prompt'];
const KINDS = [...MEMORY_KINDS, 'error'];
const TYPES: readonly string[] = OBSERVATION_TYPES;
const OPERATORS = ['type', 'file', 'project', 'branch', 'agent', 'since', 'before', 'kind'];
const OTHER_DATE_NAMES = new Map([
  ['after', 'since'],
  ['from', 'since'],
  ['until', 'before'],
]);
/** As other search boxes call them; a name that is common in plain text, such as user or tag, is not here. */
const OTHER_NAMES = new Map([
  ['path', 'file'],
  ['folder', 'file'],
  ['repo', 'project'],
]);
const NOT_HERE = ['author', 'is', 'has', 'sort'];
const QUOTE_IT = 'To search for the text, quote it.';
const DATE_WORDS = [
  ...['today', 'yesterday', 'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
];

/** Never fails: everything that is not an operator is plain text. */
export function parseQuery(text: string, now: number): ParsedQuery {
  const query: ParsedQuery = {
    words: '',
    phrases: [],
    without: [],
    kinds: [],
    asksForErrors: false,
    types: [],
    files: [],
    projects: [],
    branches: [],
    agents: [],
    since: null,
    before: null,
    problems: [],
  };
  const problems: string[] = [];
  for (const piece of splitQuery(text)) {
    if (piece.kind === 'operator') {
      const problem = apply(query, piece, now);
      if (problem !== null) query.words += piece.text;
      if (problem) problems.push(problem);
    } else if (piece.kind === 'without') query.without.push(piece.value);
    else if (piece.kind === 'phrase') {
      query.phrases.push(piece.value);
      query.words += ` ${piece.value} `;
    } else {
      query.words += piece.text;
      problems.push(...describeSyntax(piece.text));
    }
  }
  query.words = query.words.trim();
  // A longer text is pasted, and `type:string` in it is code.
  if (!text.includes('\n')) query.problems = problems;
  return query;
}

/** @returns null if it was applied; otherwise the problem, or nothing if it is no operator but text. */
function apply(query: ParsedQuery, piece: { name: string; value: string }, now: number): string | null {
  const { name, value } = piece;
  const lower = value.toLowerCase();
  if (!OPERATORS.includes(name)) return describeOperator(name, value, now);
  if (value === '') return '';
  switch (name) {
    case 'kind':
      if (!KINDS.includes(lower)) return describeValue('kind', value, KINDS);
      addKind(query, lower);
      return null;
    case 'type':
      if (KINDS.includes(lower)) addKind(query, lower);
      else if (TYPES.includes(lower)) query.types.push(lower);
      else return describeValue('type', value, [...TYPES, ...KINDS]);
      return null;
    case 'file':
      query.files.push(value);
      return null;
    case 'project':
      query.projects.push(value);
      return null;
    case 'branch':
      query.branches.push(value);
      return null;
    case 'agent':
      query.agents.push(lower);
      return null;
    default: {
      const span = parseDate(value, now);
      if (!span) return describeDate(name, value);
      if (name === 'since') query.since = span.from;
      else query.before = span.from;
      return null;
    }
  }
}

function addKind(query: ParsedQuery, kind: string): void {
  if (kind === 'error') query.asksForErrors = true;
  else query.kinds.push(kind as HitKind);
}

function describeValue(name: 'kind' | 'type', value: string, known: readonly string[]): string {
  const nearest = findNearest(value.toLowerCase(), [...known]);
  const isType = name === 'kind' && TYPES.includes(value.toLowerCase());
  const suggested = isType ? `type:${value.toLowerCase()}` : nearest && `${name}:${nearest}`;
  const meant = suggested ? ` Did you mean ${suggested}?` : '';
  return `Unknown ${name} in ${name}:${value}.${meant} Use one of ${known.join(', ')}.`;
}

function describeDate(name: string, value: string): string {
  const nearest = findNearest(value.toLowerCase(), DATE_WORDS);
  const meant = nearest ? ` Did you mean ${name}:${nearest}?` : '';
  return `Unknown date in ${name}:${value}.${meant} Use a date such as 2026-11-10, yesterday, 3d or 2w.`;
}

/** `node:fs` is text, `kidn:note` a mistake, and so is `after:2026-11-01`, as other search boxes call `since:`. */
function describeOperator(name: string, value: string, now: number): string {
  if (value === '') return '';
  const otherName = OTHER_DATE_NAMES.get(name);
  const meant =
    otherName && parseDate(value, now)
      ? otherName
      : (OTHER_NAMES.get(name) ??
        OPERATORS.find(
          (known) => name !== known && typoCost(name, known) <= Math.max(typoLimit(known.length), 1),
        ));
  const problem = `Unknown operator ${name}: in ${name}:${value}.`;
  if (meant) return `${problem} Did you mean ${meant}:${value}? ${QUOTE_IT}`;
  const known = OPERATORS.map((operator) => `${operator}:`).join(', ');
  return NOT_HERE.includes(name) ? `${problem} Use one of ${known}. ${QUOTE_IT}` : '';
}

/** `uplo*`; `char*` is C, and more than letters is a glob or code. */
const WILDCARD =
  /(?<=^|\s)(?!(?:char|int|void|float|double|const|bool|long|short)\*)([\p{L}]{2,})\*(?=\s|$)/u;
/** `NOT NULL` is a name, and "does NOT work" a sentence. */
const NOT_WORD = /(?:^|(\S+)\s+)NOT\s+(\S*[\p{Ll}]\S*)/u;

/** The syntax of other search boxes. Asks for the characters first: the patterns take a hook longer to compile. */
function describeSyntax(text: string): string[] {
  return [
    ...(text.includes('*') ? describeWildcard(text) : []),
    ...(text.includes('NOT') ? describeNot(text) : []),
  ];
}

function describeWildcard(text: string): string[] {
  const [wildcard, start] = WILDCARD.exec(text) ?? [];
  if (wildcard === undefined) return [];
  const advice = `Search for ${start} or a whole word: other forms of it are found too.`;
  return [`Unknown operator * in ${wildcard}. ${advice} ${QUOTE_IT}`];
}

function describeNot(text: string): string[] {
  const [found, before = '', word = ''] = NOT_WORD.exec(text) ?? [];
  const isOperator = before === '' || before === 'AND' || before === 'OR';
  const isShouted = before !== before.toLowerCase() && before === before.toUpperCase();
  const isSentence = [before, word].some((each) => STOP_WORDS.has(each.toLowerCase()));
  if (found === undefined || STOP_WORDS.has(word) || (!isOperator && (isShouted || isSentence))) return [];
  return [`Unknown operator NOT in NOT ${word}. Did you mean -${word}? To search for the text, write not.`];
}
