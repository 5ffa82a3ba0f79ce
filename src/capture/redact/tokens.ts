import type { Anchors } from './anchors.ts';
import { matchAt } from './connectors.ts';
import { addEdits, type Edit, type IsSeam, mergeEdits, NO_EDITS } from './edits.ts';
import type { TokenRule } from './rules/token-rule.ts';
import { tokenRules } from './rules/tokens.ts';
import { TOKEN_GROUP, tokenRulesByAnchor } from './scan.ts';

/** Finds secrets by their own form. */
export function findTokens(text: string, anchors: Anchors, isSeam?: IsSeam): Edit[] {
  let found = findInRuns(text);
  let done = 0;
  runSeen.end = 0;
  const count = anchors.counts[TOKEN_GROUP] ?? 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[TOKEN_GROUP]?.[number] ?? 0;
    if (index < done) continue;
    const matchers = matchersOf(anchors.literals[TOKEN_GROUP]?.[number] ?? 0);
    const edit = tokenAt(text, index, matchers, isSeam);
    if (edit === undefined) continue;
    if (found === NO_EDITS) found = [];
    found.push(edit);
    done = edit.end;
  }
  return mergeEdits(found);
}

function tokenAt(
  text: string,
  index: number,
  matchers: Matcher[],
  isSeam: IsSeam | undefined,
): Edit | undefined {
  for (const matcher of matchers) {
    const { before, runEnd, kind } = matcher.rule;
    const isWordStart = before !== undefined || startsWord(text, index);
    if (!isWordStart && isSeam === undefined) continue;
    if (runEnd !== undefined && text.charAt(endOfRun(text, index)) !== runEnd) continue;
    matcher.pattern ??= patternOf(matcher.rule);
    const hit = matchAt(matcher.pattern, text, index);
    if (hit === null || !(isWordStart || isSeam?.(index) === true)) continue;
    return { start: index - (hit[1]?.length ?? 0), end: index + hit[0].length, kind };
  }
  return undefined;
}

interface Matcher {
  rule: TokenRule;
  /** Compiled on demand. Its first group is the part of the token before the fixed part. */
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

/** Every rule for runs requires this many word characters or dashes before its fixed part. */
const SHORTEST_RUN = 23;
/** If the fixed part is not a dot, the whole token is a run, which is longer than a UUID. */
const LONG_RUN = 49;

/** Tokens whose fixed part is a single character, which is too common to check at each occurrence. */
function findInRuns(text: string): Edit[] {
  let edits = NO_EDITS;
  let from = 0;
  // Checks only every 23rd character: a run that long cannot fit between two checks.
  for (let look = SHORTEST_RUN - 1; look < text.length; look += SHORTEST_RUN) {
    let kinds = inRun[text.charCodeAt(look)] ?? 0;
    if (kinds === 0) continue;
    let start = look;
    for (let kind = 1; start > from && kind !== 0; ) {
      kind = inRun[text.charCodeAt(start - 1)] ?? 0;
      kinds |= kind;
      if (kind !== 0) start--;
    }
    let end = look;
    for (let kind = 1; kind !== 0; ) {
      kind = inRun[text.charCodeAt(++end)] ?? 0;
      kinds |= kind;
    }
    from = end;
    look = end;
    const isLong = end - start >= LONG_RUN && (kinds & FIXED) !== 0;
    if (!isLong && (end - start < SHORTEST_RUN || text.charCodeAt(end) !== DOT)) continue;
    const found = searchRun(text, isLong ? start + SHORTEST_RUN : end, end);
    edits = addEdits(edits, found);
  }
  return edits;
}

function searchRun(text: string, start: number, end: number): Edit[] {
  let edits = NO_EDITS;
  let done = 0;
  runMatchers ??= findRunMatchers();
  for (let index = start; index <= end; index++) {
    const code = text.charCodeAt(index);
    if (code !== DASH && code !== UNDERSCORE && code !== DOT) continue;
    const matchers = runMatchers.get(text.charAt(index)) ?? [];
    const edit = tokenAt(text, index, matchers, undefined);
    if (edit === undefined || edit.start < done) continue;
    if (edits === NO_EDITS) edits = [];
    edits.push(edit);
    done = edit.end;
  }
  return edits;
}

function findRunMatchers(): Map<string, Matcher[]> {
  const byFixed = new Map<string, Matcher[]>();
  for (const rule of tokenRules()) {
    if (rule.inRun !== undefined) byFixed.set(rule.inRun, [{ rule }]);
  }
  return byFixed;
}

function patternOf({ starts, rest, before }: TokenRule): RegExp {
  const head = before === undefined ? '' : `(?<=(?<![A-Za-z0-9])(${before}))`;
  return new RegExp(`${head}(?:${starts})${rest}`, 'y');
}

/** The last run of word characters that was read. */
const runSeen = { start: 0, end: 0 };

/** The end of the run of word characters and dashes around `index`. Cached, because each anchor in a run needs it. */
function endOfRun(text: string, index: number): number {
  if (runSeen.start <= index && index < runSeen.end) return runSeen.end;
  let end = index;
  while (isRunCode(text.charCodeAt(end))) end++;
  runSeen.start = index;
  runSeen.end = end;
  return end;
}

/** Whether `index` is not inside a word. An escape such as `\n` or `%3D` ends a word although it ends in a letter. */
function startsWord(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  if (!isWordCode(before) || before === UNDERSCORE || !isWordCode(text.charCodeAt(index))) return true;
  const mayBeEscape =
    text.charCodeAt(index - 2) === BACKSLASH ||
    text.charCodeAt(index - 3) === PERCENT ||
    text.charCodeAt(index - 4) === BACKSLASH ||
    text.charCodeAt(index - 6) === BACKSLASH;
  return mayBeEscape && ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
}

const ESCAPE_BEFORE = /(?:\\[nrtbfv]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})$/;
const UNDERSCORE = 95;
const DASH = 45;
const DOT = 46;
const BACKSLASH = 92;
const PERCENT = 37;

function isWordCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE;
}

function isRunCode(code: number): boolean {
  return (inRun[code] ?? 0) !== 0;
}

/** In `inRun`: a character that can be the fixed part of a token. */
const FIXED = 2;
const inRun = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (isWordCode(code)) inRun[code] = 1;
inRun[DASH] = FIXED;
inRun[UNDERSCORE] = FIXED;
