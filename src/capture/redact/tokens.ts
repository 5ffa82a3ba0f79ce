import { redactionMark } from './mark.ts';
import { tokenRules } from './rules.ts';

const anyBeginning = [...new Set(tokenRules.map((rule) => rule.starts))].join('|');
const beginnings = new RegExp(anyBeginning, 'g');
const beginningHere = new RegExp(anyBeginning, 'y');

interface Rule {
  mark: string;
  pattern: RegExp;
}

/** The rules that may match at a character, made when they are first needed: a hook has no time for all. */
const rulesByFirst = new Map<string, Rule[]>();

function rulesFor(character: string): Rule[] {
  const known = rulesByFirst.get(character);
  if (known !== undefined) return known;
  const rules = tokenRules
    .filter(({ starts }) => starts.startsWith(character) || !/^[A-Za-z\d:]/.test(starts))
    .map(({ kind, starts, rest }) => ({
      mark: redactionMark(kind),
      pattern: new RegExp(`(?:${starts})${rest}`, 'y'),
    }));
  rulesByFirst.set(character, rules);
  return rules;
}

/** Every rule wants a run of so many word characters or dashes; ordinary words are shorter. */
const SHORTEST_RUN = 14;
/** How far before such a run a token may begin: `hooks.slack.com/services/…/…/`. */
const LONGEST_BEGINNING = 64;
/** The longest fixed beginning; one that crosses the end of what was searched is found from here. */
const OVERLAP = 40;

/**
 * Replaces what is a secret by its own form. Looking for eighty beginnings everywhere would be slow, so only
 * the surroundings of long runs are searched.
 */
export function redactTokens(text: string): string {
  let clean = '';
  let copied = 0;
  let searched = 0;
  for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, Math.max(run.end, copied))) {
    if (!isOpaque(text, run)) continue;
    const from = Math.max(copied, run.start - LONGEST_BEGINNING, searched - OVERLAP);
    const surroundings = text.slice(from, run.end);
    searched = run.end;
    beginnings.lastIndex = 0;
    for (let hit = beginnings.exec(surroundings); hit !== null; hit = beginnings.exec(surroundings)) {
      const start = from + hit.index;
      const found = start < copied ? undefined : tokenAt(text, start);
      beginnings.lastIndex = hit.index + 1;
      if (found === undefined) continue;
      clean += text.slice(copied, start) + found.mark;
      copied = found.end;
      beginnings.lastIndex = copied - from;
    }
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

interface Run {
  start: number;
  end: number;
}

const inRun = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  inRun[character.charCodeAt(0)] = 1;
}

/** Runs of letters as in long names need no search, unless a known beginning stands at their start. */
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

function tokenAt(text: string, index: number): { mark: string; end: number } | undefined {
  if (!standsFree(text, index)) return undefined;
  for (const { mark, pattern } of rulesFor(text.charAt(index))) {
    pattern.lastIndex = index;
    if (pattern.test(text)) return { mark, end: pattern.lastIndex };
  }
  return undefined;
}

/** Not in the middle of a word; an escape such as `\n` or `%3D` ends a word, although it ends in a letter. */
function standsFree(text: string, index: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(index - 1)) || !/\w/.test(text.charAt(index))) return true;
  return /(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, index - 6), index));
}
