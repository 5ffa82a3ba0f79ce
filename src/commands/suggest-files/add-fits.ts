import {
  buildFits,
  buildFitsWithGaps,
  escapePattern,
  type Fit,
  patternOfTyped,
  type Scope,
  scoreWithGaps,
} from './fit.ts';
import { decodeBytes } from './path-list.ts';
import type { TopPaths } from './top-paths.ts';

/** Paths joined into one text: see path-list.ts. */
export interface SearchedPaths {
  text: string;
  /** The part of the score that does not depend on the query. */
  points(path: string): number;
  mostPoints: number;
  isThere(path: string): boolean;
}

export interface PathQuery {
  query: string;
  /** The current folder relative to the top, in bytes: `''`, or with a trailing slash. */
  prefix: string;
}

/** The share of the score that the query decides; the rest only orders files that match about equally well. */
const FOR_WORDS = 100;
/** Long paths, and paths outside the current folder, score lower. */
const LETTERS_A_POINT = 20;
const ELSEWHERE = 8;
/** After this many matches only paths short enough to be among the best are checked. */
const MANY = 100;
/** A match with gaps may find nearly every path. */
const MOST_WITH_GAPS = 1_000;
const LONGEST_WITH_GAPS = 50;
const LONGEST_PATH = 4_096;

/** Adds the matches to the best paths. */
export function addFits(lists: SearchedPaths[], { query, prefix }: PathQuery, best: TopPaths): void {
  const typed = query.replace(/^(?:\.\.\/)+/, '').toLowerCase();
  const isPath = query.includes('/');
  // No path contains a NUL or is this long.
  if (typed.includes('\0') || typed.length > LONGEST_PATH) return;
  const listsWithIt = lists.filter(({ text }) => new RegExp(patternOfTyped(typed)).test(text));
  const listsWithGaps = typed.length <= LONGEST_WITH_GAPS ? lists : [];
  for (const scope of scopesOf(prefix, query.startsWith('../'))) {
    for (const fit of buildFits(typed, isPath, scope))
      for (const list of fit.hasGaps ? listsWithGaps : listsWithIt)
        addMatches(list, { fit, scope, prefix }, best);
    const worth = (path: string) => scoreWithGaps(decodeBytes(path.slice(scope.from)), typed, isPath);
    for (const fit of buildFitsWithGaps(typed, isPath, scope))
      for (const list of listsWithGaps) addMatches(list, { fit, scope, prefix, worth }, best);
  }
}

interface Search {
  fit: Fit;
  scope: SeenScope;
  prefix: string;
  worth?(path: string): number;
}

function addMatches(
  { text, ...list }: SearchedPaths,
  { fit, scope, prefix, worth }: Search,
  best: TopPaths,
): void {
  const ceiling = FOR_WORDS * fit.worth + list.mostPoints - (scope.isOwn ? 0 : ELSEWHERE);
  const source = fit.pattern + scope.end;
  let pattern = new RegExp(source, 'g');
  let tooLong = LONGEST_PATH;
  for (let looked = 1; ceiling > best.bar() && pattern.test(text); looked += 1) {
    const end = pattern.lastIndex;
    const path = text.slice(text.lastIndexOf('\0', end - 1) + 1, end);
    const score =
      FOR_WORDS * (worth?.(path) ?? fit.worth) + list.points(path) - measureDistance(path, prefix);
    if (score > best.bar() && list.isThere(path)) best.add(path, score);
    if (worth && looked >= MOST_WITH_GAPS) return;
    if (worth || looked % MANY !== 0) continue;
    // Rounding up would admit every path that is as long as the last of the best.
    const length = Math.ceil(LETTERS_A_POINT * (ceiling - best.bar()) - 1e-6);
    if (length >= tooLong) continue;
    tooLong = length;
    pattern = new RegExp(`\\0(?![^\\0]{${tooLong}})[^\\0]*${source}`, 'g');
    pattern.lastIndex = end;
  }
}

interface SeenScope extends Scope {
  isOwn: boolean;
  end: string;
  from: number;
}

/** Paths in the current folder, then the rest. A query that begins with `../` means only the rest. */
function scopesOf(prefix: string, isAbove: boolean): SeenScope[] {
  if (prefix === '') return isAbove ? [] : [{ isOwn: true, start: '\\0', holds: () => '', end: '', from: 0 }];
  const start = `\\0${escapePattern(prefix)}`;
  const holds = (bytes: number) => `(?<=${start}[^\\0]*[^]{${bytes}})`;
  const own = { isOwn: true, start, holds, end: '', from: prefix.length };
  const end = `(?<!${start}[^\\0]*)`;
  // From the current folder such a path starts with `../`.
  const others = { isOwn: false, start: isAbove ? '\\0' : null, holds: () => '', end, from: 0 };
  return isAbove ? [others] : [own, others];
}

export function measureDistance(path: string, prefix: string): number {
  return path.length / LETTERS_A_POINT + (path.startsWith(prefix) ? 0 : ELSEWHERE);
}
