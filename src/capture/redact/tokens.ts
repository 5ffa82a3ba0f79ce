import type { Edit, IsSeam } from './edits.ts';
import type { TokenRule } from './rules/token-rule.ts';
import { tokenRules } from './rules/tokens.ts';

const any = (rules: TokenRule[]) => [...new Set(rules.map((rule) => rule.starts))].join('|');
const anyBeginning = any(tokenRules);
const beginnings = new RegExp(anyBeginning, 'g');
const beginningHere = new RegExp(anyBeginning, 'y');
/** Where no escape and no control sequence can end a word, most beginnings are at the start of one. */
const beginningsOfWords = new RegExp(
  `(?<![A-Za-z0-9])(?:${any(tokenRules.filter(({ before }) => before === undefined))})|${any(tokenRules.filter(({ before }) => before !== undefined))}`,
  'g',
);

interface Matcher {
  kind: string;
  first: RegExp;
  before: RegExp | undefined;
  runEnd: string | undefined;
  pattern: RegExp;
}

const matchers: Matcher[] = tokenRules.map(({ kind, starts, rest, before, runEnd }) => ({
  kind,
  first: new RegExp(`^(?:${firstCharacters(starts)})$`),
  before: before === undefined ? undefined : new RegExp(`(?<![A-Za-z0-9])(?:${before})$`),
  runEnd,
  pattern: new RegExp(`(?:${starts})${rest}`, 'y'),
}));

/** What a beginning begins with: a character, a class of them, or the first ones of its alternatives. */
function firstCharacters(starts: string): string {
  const alternatives = /^\(\?:([^()]*)\)/.exec(starts)?.[1]?.split('|');
  return (alternatives ?? [starts]).map((it) => /^(?:\[[^\]]*\]|\\.|.)/.exec(it)?.[0]).join('|');
}

/** The rules that may match at a character. */
const matchersByFirst = new Map<string, Matcher[]>();

function matchersFor(character: string): Matcher[] {
  const known = matchersByFirst.get(character);
  if (known !== undefined) return known;
  const fitting = matchers.filter(({ first }) => first.test(character));
  matchersByFirst.set(character, fitting);
  return fitting;
}

/** Every rule wants a run of so many word characters or dashes; ordinary words are shorter. */
const SHORTEST_RUN = 14;
/** How far before such a run a token may begin: `hooks.slack.com/services/…/…/`. */
const LONGEST_BEGINNING = 64;
/** How much of a token may be before its fixed part. */
const LONGEST_BEFORE = 96;
/** The longest fixed beginning; one that crosses the end of what was searched is found from here. */
const OVERLAP = 40;

/**
 * Finds what is a secret by its own form. Looking for two hundred beginnings everywhere would be slow, so
 * only the surroundings of long runs are searched.
 */
export function findTokens(text: string, isSeam?: IsSeam): Edit[] {
  const edits: Edit[] = [];
  let done = 0;
  let searched = 0;
  for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, Math.max(run.end, done))) {
    if (!isOpaque(text, run)) continue;
    const from = Math.max(done, run.start - LONGEST_BEGINNING, searched - OVERLAP);
    const surroundings = text.slice(from, run.end);
    searched = run.end;
    const pattern = isSeam !== undefined || /[\\%]/.test(surroundings) ? beginnings : beginningsOfWords;
    pattern.lastIndex = 0;
    for (let hit = pattern.exec(surroundings); hit !== null; hit = pattern.exec(surroundings)) {
      const index = from + hit.index;
      pattern.lastIndex = hit.index + 1;
      const edit = index < done ? undefined : tokenAt(text, index, { done, run, isSeam });
      if (edit === undefined) continue;
      edits.push(edit);
      done = edit.end;
      pattern.lastIndex = done - from;
    }
  }
  return edits;
}

interface Run {
  start: number;
  end: number;
}

const inRun = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~-') {
  inRun[character.charCodeAt(0)] = 1;
}

/** Runs of letters as in long names need no search, unless a known beginning is at their start. */
function isOpaque(text: string, { start, end }: Run): boolean {
  beginningHere.lastIndex = start;
  return /\d|[A-Z][a-z][A-Z]/.test(text.slice(start, end)) || beginningHere.test(text);
}

/** Looks at every fourteenth character only: a run that long cannot lie between two looks. */
function nextRun(text: string, from: number): Run | undefined {
  for (let look = from + SHORTEST_RUN - 1; look < text.length; look += SHORTEST_RUN) {
    if (inRun[text.charCodeAt(look)] !== 1) continue;
    let start = look;
    while (start > from && inRun[text.charCodeAt(start - 1)] === 1) start--;
    let end = look + 1;
    while (end < text.length && inRun[text.charCodeAt(end)] === 1) end++;
    if (end - start >= SHORTEST_RUN) return { start, end };
    look = end;
  }
  return undefined;
}

interface Around {
  /** Where the last token ended. */
  done: number;
  run: Run;
  isSeam: IsSeam | undefined;
}

function tokenAt(text: string, index: number, { done, run, isSeam }: Around): Edit | undefined {
  const free = startsWord(text, index) || isSeam?.(index) === true;
  for (const { kind, before, runEnd, pattern } of matchersFor(text.charAt(index))) {
    if (!free && before === undefined) continue;
    if (runEnd !== undefined && index >= run.start && text.charAt(run.end) !== runEnd) continue;
    const from = Math.max(done, index - LONGEST_BEFORE);
    const head = before?.exec(text.slice(from, index));
    pattern.lastIndex = index;
    if (head === null || !pattern.test(text)) continue;
    return { start: head === undefined ? index : from + head.index, end: pattern.lastIndex, kind };
  }
  return undefined;
}

/** Not in the middle of a word; an escape such as `\n` or `%3D` ends a word, although it ends in a letter. */
function startsWord(text: string, index: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(index - 1)) || !/\w/.test(text.charAt(index))) return true;
  return /(?:\\[nrtbfv]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})$/.test(
    text.slice(Math.max(0, index - 6), index),
  );
}
