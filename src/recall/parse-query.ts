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
    } else query.words += piece.text;
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

function describeValue(name: string, value: string, known: readonly string[]): string {
  const nearest = findNearest(value.toLowerCase(), [...known]);
  const meant = nearest ? ` Did you mean ${name}:${nearest}?` : '';
  return `Unknown ${name} in ${name}:${value}.${meant} Use one of ${known.join(', ')}.`;
}

function describeDate(name: string, value: string): string {
  const nearest = findNearest(value.toLowerCase(), DATE_WORDS);
  const meant = nearest ? ` Did you mean ${name}:${nearest}?` : '';
  return `Unknown date in ${name}:${value}.${meant} Use a date such as 2026-11-10, yesterday, 3d or 2w.`;
}

/** `node:fs` is text, `kidn:note` a mistake, and so is `after:2026-11-01`, as other search boxes call `since:`. */
function describeOperator(name: string, value: string, now: number): string {
  const otherName = OTHER_DATE_NAMES.get(name);
  const meant =
    otherName && parseDate(value, now)
      ? otherName
      : OPERATORS.find(
          (known) => name !== known && typoCost(name, known) <= Math.max(typoLimit(known.length), 1),
        );
  if (!meant || value === '') return '';
  return `Unknown operator ${name}: in ${name}:${value}. Did you mean ${meant}:${value}? To search for the text, quote it.`;
}
