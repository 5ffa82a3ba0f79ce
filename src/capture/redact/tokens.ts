import type { Anchors } from './anchors.ts';
import { type Edit, type IsSeam, mergeEdits, NO_EDITS } from './edits.ts';
import type { TokenRule } from './rules/token-rule.ts';
import { tokenRules } from './rules/tokens.ts';
import { TOKENS, tokenRulesByAnchor } from './scan.ts';
import { matchAt } from './ties.ts';

/** Finds what is a secret by its own form. */
export function findTokens(text: string, anchors: Anchors, isSeam?: IsSeam): Edit[] {
  let found = findInRuns(text);
  let done = 0;
  const run = { start: 0, end: 0 };
  const count = anchors.counts[TOKENS] ?? 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[TOKENS]?.[number] ?? 0;
    if (index < done) continue;
    const matchers = matchersOf(anchors.literals[TOKENS]?.[number] ?? 0);
    const edit = tokenAt(text, index, { matchers, run, isSeam });
    if (edit === undefined) continue;
    if (found === NO_EDITS) found = [];
    found.push(edit);
    done = edit.end;
  }
  return mergeEdits(found);
}

interface Around {
  matchers: Matcher[];
  /** The run of word characters that was looked at last. */
  run: { start: number; end: number };
  isSeam?: IsSeam | undefined;
}

function tokenAt(text: string, index: number, { matchers, run, isSeam }: Around): Edit | undefined {
  for (const matcher of matchers) {
    const { before, runEnd, kind } = matcher.rule;
    const isFree = before !== undefined || startsWord(text, index);
    if (!isFree && isSeam === undefined) continue;
    if (runEnd !== undefined && text.charAt(endOfRun(text, index, run)) !== runEnd) continue;
    matcher.pattern ??= patternOf(matcher.rule);
    const hit = matchAt(matcher.pattern, text, index);
    if (hit === null || !(isFree || isSeam?.(index) === true)) continue;
    return { start: index - (hit[1]?.length ?? 0), end: index + hit[0].length, kind };
  }
  return undefined;
}

interface Matcher {
  rule: TokenRule;
  /** Made when it is needed. Its first group is what of the token is before the fixed part. */
  pattern?: RegExp;
}

/** By the number of the anchor. */
const matchersByAnchor: Matcher[][] = [];

function matchersOf(anchor: number): Matcher[] {
  const known = matchersByAnchor[anchor];
  if (known !== undefined) return known;
  const rules = [...tokenRulesByAnchor().values()][anchor] ?? [];
  const matchers = rules.map((rule) => ({ rule }));
  matchersByAnchor[anchor] = matchers;
  return matchers;
}

let runMatchers: Map<string, Matcher[]> | undefined;

/** Every rule for runs wants so many word characters or dashes before its fixed part. */
const SHORTEST_RUN = 23;
/** The whole token is a run, if its fixed part is not a dot: longer than a UUID. */
const LONG_RUN = 49;

/** Tokens whose fixed part is a single character, which is far too common to look at each of them. */
function findInRuns(text: string): Edit[] {
  let edits = NO_EDITS;
  let done = 0;
  for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, run.end)) {
    if (text.charCodeAt(run.end) !== DOT && run.end - run.start < LONG_RUN) continue;
    runMatchers ??= findRunMatchers();
    const isLong = run.end - run.start >= LONG_RUN;
    for (let index = isLong ? run.start + SHORTEST_RUN : run.end; index <= run.end; index++) {
      const code = text.charCodeAt(index);
      if (code !== DASH && code !== UNDERSCORE && code !== DOT) continue;
      const edit = tokenAt(text, index, { matchers: runMatchers.get(text.charAt(index)) ?? [], run });
      if (edit === undefined || edit.start < done) continue;
      if (edits === NO_EDITS) edits = [];
      edits.push(edit);
      done = edit.end;
    }
  }
  return edits;
}

function findRunMatchers(): Map<string, Matcher[]> {
  const byFixed = new Map<string, Matcher[]>();
  for (const rule of tokenRules) {
    if (rule.inRun !== undefined) byFixed.set(rule.inRun, [{ rule }]);
  }
  return byFixed;
}

/** Looks at every 23rd character only: a run that long cannot lie between two looks. */
function nextRun(text: string, from: number): { start: number; end: number } | undefined {
  for (let look = from + SHORTEST_RUN - 1; look < text.length; look += SHORTEST_RUN) {
    if (!isRunCode(text.charCodeAt(look))) continue;
    let start = look;
    while (start > from && isRunCode(text.charCodeAt(start - 1))) start--;
    let end = look + 1;
    while (isRunCode(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST_RUN) return { start, end };
    look = end;
  }
  return undefined;
}

function patternOf({ starts, rest, before }: TokenRule): RegExp {
  const head = before === undefined ? '' : `(?<=(?<![A-Za-z0-9])(${before}))`;
  return new RegExp(`${head}(?:${starts})${rest}`, 'y');
}

/** Where the word characters and dashes around a place end; in one long run each place would look anew. */
function endOfRun(text: string, index: number, run: { start: number; end: number }): number {
  if (run.start <= index && index < run.end) return run.end;
  let end = index;
  while (isRunCode(text.charCodeAt(end))) end++;
  run.start = index;
  run.end = end;
  return end;
}

/** Not in the middle of a word; an escape such as `\n` or `%3D` ends a word, although it ends in a letter. */
function startsWord(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  if (!isWordCode(before) || before === UNDERSCORE || !isWordCode(text.charCodeAt(index))) return true;
  const start = Math.max(0, index - 6);
  const head = text.slice(start, index);
  return (head.includes('\\') || head.includes('%')) && ESCAPE_BEFORE.test(head);
}

const ESCAPE_BEFORE = /(?:\\[nrtbfv]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})$/;
const UNDERSCORE = 95;
const DASH = 45;
const DOT = 46;

function isWordCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE;
}

function isRunCode(code: number): boolean {
  return inRun[code] === 1;
}

const inRun = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (isWordCode(code) || code === DASH) inRun[code] = 1;
