import type { RememberedFile } from '../../store/types/quick-reader.ts';
import { addFits, measureDistance, type PathQuery, type SearchedPaths } from './add-fits.ts';
import { decodeBytes, joinPaths } from './path-list.ts';
import { createTopPaths, type TopPaths } from './top-paths.ts';

/** Paths are relative to the top and encoded as bytes: see path-list.ts. */
export interface KnownProjectFiles {
  list: string;
  /** Lists the folders of the files, each with a trailing slash. */
  folders(): string;
  has(path: string): boolean;
  /** Listed but deleted. */
  gone: Set<string>;
  dirty: Set<string>;
  /** From the last commits, latest first. */
  committed: string[];
  remembered: RememberedFile[];
}

export interface RankOptions extends PathQuery {
  limit: number;
}

const MOST_FOR_MEMORY = 30;
const FOR_DIRTY = 10;
const FOR_COMMIT = 6;
const BESIDE_WORDS = 0.4;
/** Without a query and without history, only this many paths of the list are considered. */
const MOST_LOOKED_AT = 1_000;

/** The most likely files first, relative to the current folder. */
export function rankFiles(project: KnownProjectFiles, { query, prefix, limit }: RankOptions): string[] {
  const best = createTopPaths(limit);
  const interest = scoreInterest(project);
  if (/^(?:\.\.\/)*$/.test(query)) addLikely(project, interest, { query, prefix }, best);
  else addFits(searchedOf(project, interest), { query, prefix }, best);
  return best.paths().map((path) => decodeBytes(relativeTo(path, prefix)));
}

/** Without a query: files from memory and git, then the nearest. */
function addLikely(
  { list, gone, has }: KnownProjectFiles,
  interest: Map<string, number>,
  { query, prefix }: PathQuery,
  best: TopPaths,
): void {
  const isMeant = (path: string) => !gone.has(path) && (query === '' || !path.startsWith(prefix));
  for (const [path, points] of [...interest].sort(([, a], [, b]) => b - a)) {
    if (best.isFull()) return;
    if (isMeant(path) && has(path)) best.add(path, points - measureDistance(path, prefix));
  }
  for (let from = 1, looked = 0; from < list.length && looked < MOST_LOOKED_AT; looked += 1) {
    const end = list.indexOf('\0', from);
    const path = list.slice(from, end);
    if (isMeant(path) && !interest.has(path)) best.add(path, -100 - measureDistance(path, prefix));
    from = end + 1;
  }
}

/** Files with a score from memory and git are a list of their own, which avoids a lookup for all others. */
function searchedOf(
  { list, folders, gone, has }: KnownProjectFiles,
  interest: Map<string, number>,
): SearchedPaths[] {
  const most = [...interest.values()].reduce((a, b) => Math.max(a, b), 0);
  return [
    {
      text: joinPaths(interest.keys()),
      points: (path) => BESIDE_WORDS * (interest.get(path) ?? 0),
      mostPoints: BESIDE_WORDS * most,
      isThere: (path) => !gone.has(path) && has(path),
    },
    { text: folders(), points: () => 0, mostPoints: 0, isThere: () => true },
    { text: list, points: () => 0, mostPoints: 0, isThere: (path) => !gone.has(path) },
  ];
}

/** The score from memory and git, independent of the query. */
function scoreInterest({ remembered, dirty, committed }: KnownProjectFiles): Map<string, number> {
  const interest = new Map<string, number>();
  const add = (path: string, points: number, most = Number.POSITIVE_INFINITY) =>
    interest.set(path, Math.min(most, (interest.get(path) ?? 0) + points));
  for (const [rank, { path, changes, isOfWork }] of remembered.toSorted((a, b) => b.at - a.at).entries()) {
    const often = Math.min(6, 2 * Math.log2(1 + changes));
    add(path, 12 * Math.exp(-rank / 40) + often + (isOfWork ? 10 : 0), MOST_FOR_MEMORY);
  }
  for (const path of dirty) add(path, FOR_DIRTY);
  for (const [rank, path] of committed.entries()) add(path, FOR_COMMIT * Math.exp(-rank / 30));
  return interest;
}

function relativeTo(path: string, prefix: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length) || './';
  return '../'.repeat(prefix.split('/').length - 1) + path;
}
