import { encodeBytes } from './path-list.ts';

/**
 * A way in which a path can fit what was typed: a pattern for one text of very many paths, each with a NUL before and
 * behind it. A process that has just begun looks through such a text in no time, but is slow at anything it does
 * path by path.
 */
export interface Fit {
  /** From 0 to 1; a file's name counts more than its folders. */
  worth: number;
  /** From the first letter of what was typed to the end of the path, before the NUL. */
  pattern: string;
  hasGaps?: true;
}

export interface Scope {
  /** The pattern before a match; null if no match can begin there. */
  start: string | null;
  /** A lookbehind: the last `bytes` bytes must all be inside the scope. */
  holds(bytes: number): string;
}

const REST = '[^\\0]*(?=\\0)';
const REST_OF_NAME = '[^\\0/]*/?(?=\\0)';
const NAME = '[\\0/]';
const WORD = '(?:[-_. ]|(?=[-_. ])|[a-z\\d](?=[A-Z]))';
const INITIAL = '(?:[A-Z](?![A-Z])|(?<![A-Za-z\\d])[a-z\\d])';

/** Contiguous matches and initials of a name, best first. */
export function buildFits(typed: string, isPath: boolean, { start, holds }: Scope): Fit[] {
  const [first, ...others] = lettersOf(typed);
  const length = encodeBytes(typed).length;
  // The regular expression engine searches for the literal prefix; the rest is checked only there.
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
  // `memoryStore.ts` and `memory-store.ts` are `mst`.
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

/** If this matches nowhere, only a match with gaps is possible. */
export function patternOfTyped(typed: string): string {
  return lettersOf(typed)
    .map(({ pattern }) => pattern)
    .join('');
}

/** Matches with gaps between the letters, with the maximum score. */
export function buildFitsWithGaps(typed: string, isPath: boolean, { holds }: Scope): Fit[] {
  const [first, ...others] = lettersOf(typed);
  // Always the next occurrence: trying all would take too long with repeated letters.
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

/** Adjacent letters score higher; the last occurrences are nearest to the file's name. */
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
  /** Lower and upper case. */
  pattern: string;
  length: number;
}

function lettersOf(typed: string): [Letter, ...Letter[]] {
  const [first = NOTHING, ...others] = Array.from(typed, (letter) => {
    const small = encodeBytes(letter);
    const large = encodeBytes(letter.toUpperCase());
    // The length of a match must not depend on the alternative.
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
