import { encodeBytes } from './path-list.ts';

/**
 * One way in which a path can match the query: a pattern for a text of very many paths, each between two NULs.
 * A freshly started process searches such a text quickly, but is slow at anything it does path by path.
 */
export interface Fit {
  /** From 0 to 1. A file's name counts more than its folders. */
  worth: number;
  /** Matches from the first letter of the query to the end of the path, before the NUL. */
  pattern: string;
  hasGaps?: true;
}

export interface Scope {
  /** The pattern before a match; null if no match can begin there. */
  start: string | null;
  /** A lookbehind which asserts that the last `bytes` bytes are inside the scope. */
  holds(bytes: number): string;
}

const REST = '[^\\0]*(?=\\0)';
const REST_OF_NAME = '[^\\0/]*/?(?=\\0)';
const NAME = '[\\0/]';
const WORD = '(?:[-_. ]|(?=[-_. ])|[a-z\\d](?=[A-Z]))';
const INITIAL = '(?:[A-Z](?![A-Z])|(?<![A-Za-z\\d])[a-z\\d])';

/** Contiguous matches and matches of a name's initials, best first. */
export function buildFits(typed: string, isPath: boolean, { start, holds }: Scope): Fit[] {
  const [first, ...others] = lettersOf(typed);
  const length = encodeBytes(typed).length;
  // The regular expression engine searches for the literal prefix and checks the rest only there.
  const found = patternOfTyped(typed) + holds(length);
  const foundAfter = (before: string) => `${found}(?<=${before}[^]{${length}})`;
  if (isPath) {
    const within = [
      { worth: 0.85, pattern: foundAfter(NAME) + REST },
      { worth: 0.75, pattern: found + REST },
    ];
    if (start === null) return within;
    const whole = { worth: 1, pattern: `${foundAfter(start)}/?(?=\\0)` };
    return [whole, { worth: 0.92, pattern: foundAfter(start) + REST }, ...within];
  }
  // `mst` matches `memoryStore.ts` and `memory-store.ts`.
  const initials = others.map(({ pattern }) => `(?:(?!${INITIAL})[^\\0/])*(?=${INITIAL})${pattern}`);
  const initialsAfter = (before: string) =>
    `${first.pattern}${holds(first.length)}(?<=${before}[^]{${first.length}})${initials.join('')}`;
  return [
    { worth: 1, pattern: `${foundAfter(NAME)}(?:/|\\.${REST_OF_NAME})?(?=\\0)` },
    { worth: 0.92, pattern: foundAfter(NAME) + REST_OF_NAME },
    { worth: 0.85, pattern: foundAfter(WORD) + REST_OF_NAME },
    { worth: 0.78, pattern: found + REST_OF_NAME },
    { worth: 0.68, pattern: foundAfter(NAME) + REST },
    { worth: 0.65, pattern: initialsAfter(NAME) + REST_OF_NAME, hasGaps: true },
    { worth: 0.62, pattern: found + REST },
  ];
}

/** If this pattern does not match, only a match with gaps is possible. */
export function patternOfTyped(typed: string): string {
  return lettersOf(typed)
    .map(({ pattern }) => pattern)
    .join('');
}

/** Matches with gaps between the letters. `worth` is the highest score that such a match can get. */
export function buildFitsWithGaps(typed: string, isPath: boolean, { holds }: Scope): Fit[] {
  const [first, ...others] = lettersOf(typed);
  // Always uses the next occurrence: backtracking would take too long with repeated letters.
  const inOrder = (notBetween: string) =>
    others.reduce(
      (before, { pattern }) => `${before}(?:(?!${pattern})[^${notBetween}])*${pattern}`,
      first.pattern + holds(first.length),
    );
  const anywhere = inOrder('\\0') + REST;
  if (isPath) return [{ worth: 0.65, pattern: anywhere, hasGaps: true }];
  return [
    { worth: 0.5, pattern: inOrder('\\0/') + REST_OF_NAME, hasGaps: true },
    { worth: 0.3, pattern: anywhere, hasGaps: true },
  ];
}

/** Adjacent letters score higher. Uses the last occurrences, which are nearest to the file's name. */
export function scoreWithGaps(path: string, typed: string, isPath: boolean): number {
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf('/', lower.length - 2) + 1;
  let at = lower.length;
  let last = 0;
  for (let index = typed.length - 1; index >= 0; index -= 1) {
    at = lower.lastIndexOf(typed.charAt(index), at - 1);
    if (index === typed.length - 1) last = at;
  }
  const closeness = typed.length / (last - at + 1);
  if (isPath)
    return lower.startsWith(typed.slice(typed.lastIndexOf('/') + 1), nameAt) ? 0.65 : 0.5 * closeness;
  return at >= nameAt ? 0.2 + 0.3 * closeness : 0.3 * closeness;
}

interface Letter {
  /** Matches the letter in lower and upper case. */
  pattern: string;
  length: number;
}

function lettersOf(typed: string): [Letter, ...Letter[]] {
  const [first = NOTHING, ...others] = Array.from(typed, (letter) => {
    const small = encodeBytes(letter);
    const large = encodeBytes(letter.toUpperCase());
    // All alternatives must have the same length in bytes.
    const both = large.length === small.length ? [small, large] : [small];
    const pattern =
      small.length === 1
        ? `[${both.map(escapePattern).join('')}]`
        : `(?:${both.map(escapePattern).join('|')})`;
    return { pattern, length: small.length };
  });
  return [first, ...others];
}

const NOTHING: Letter = { pattern: '', length: 0 };

export function escapePattern(bytes: string): string {
  return bytes.replace(/./gs, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
