import type { RememberedFile } from '../../store/glance.ts';
import { matchPath } from './match.ts';

/** What is known of a project's files. Paths are relative to its top. */
export interface KnownFiles {
  /** Every path with a NUL before and behind it. One text: there may be very many, and a person types. */
  list: string;
  /** Listed but not there. */
  gone: Set<string>;
  dirty: Set<string>;
  /** Of the last commits, the latest first. */
  committed: string[];
  remembered: RememberedFile[];
}

export interface RankOptions {
  query: string;
  /** Where the person stands below the top: `''`, or with a slash at its end. */
  prefix: string;
  limit: number;
}

const MOST_FOR_MEMORY = 30;
const FOR_DIRTY = 10;
const FOR_COMMIT = 6;
/** Of what the words count for: beside them it decides only between files that fit about as well. */
const FOR_WORDS = 100;
const BESIDE_WORDS = 0.4;
/** With nothing typed and nothing known the beginning of the list has to do. */
const MOST_LOOKED_AT = 1_000;

/** The files that are most likely meant, the likeliest first, as they are seen from where the person stands. */
export function rankFiles(project: KnownFiles, { query, prefix, limit }: RankOptions): string[] {
  const interest = interestIn(project);
  if (query === '') return likely(project, interest, prefix, limit);
  const wanted = query.toLowerCase();
  const scored: { path: string; score: number }[] = [];
  const weigh = (path: string) => {
    const seen = seenFrom(path, prefix);
    const match = matchPath(seen, wanted);
    if (match === null || project.gone.has(path)) return;
    const known = BESIDE_WORDS * (interest.get(path) ?? 0);
    scored.push({ path: seen, score: FOR_WORDS * match + known - distance(path, prefix) });
  };
  const files = fitting(project.list, wanted);
  files.forEach(weigh);
  foldersOf(files).forEach(weigh);
  return best(scored, limit);
}

/** With nothing typed: what memory and git point at, then what lies nearest. */
function likely(
  { list, gone }: KnownFiles,
  interest: Map<string, number>,
  prefix: string,
  limit: number,
): string[] {
  const found: { path: string; score: number }[] = [];
  for (const [path, points] of [...interest].sort(([, a], [, b]) => b - a)) {
    if (found.length >= limit) break;
    if (gone.has(path) || !list.includes(`\0${path}\0`)) continue;
    found.push({ path: seenFrom(path, prefix), score: points - distance(path, prefix) });
  }
  for (const [, path = ''] of found.length < limit ? list.matchAll(/\0([^\0]+)(?=\0)/g) : []) {
    if (found.length >= MOST_LOOKED_AT) break;
    if (!gone.has(path) && !interest.has(path))
      found.push({ path: seenFrom(path, prefix), score: -100 - distance(path, prefix) });
  }
  return best(found, limit);
}

function best(scored: { path: string; score: number }[], limit: number): string[] {
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  // A list that was put together of two may name a file twice.
  const paths = new Set(scored.slice(0, 2 * limit).map(({ path }) => path));
  return [...paths].slice(0, limit);
}

/** What memory and git say of it, whatever was typed. */
function interestIn({ remembered, dirty, committed }: KnownFiles): Map<string, number> {
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

/** The paths that have all letters in their order, in one go over the whole list. */
function fitting(list: string, query: string): string[] {
  const letters = Array.from({ length: query.replace(/^(?:\.\.\/)+/, '').length }, (_, back) => {
    const code = query.charCodeAt(query.length - 1 - back).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  }).reverse();
  const inOrder = letters.map((letter) => `[^\\0${letter}]*${letter}`).join('');
  return Array.from(
    list.matchAll(new RegExp(`\\0(${inOrder}[^\\0]*)(?=\\0)`, 'gi')),
    ([, path = '']) => path,
  );
}

/** A folder can be meant too. */
function foldersOf(files: string[]): Set<string> {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.lastIndexOf('/') + 1; at > 0; at = file.lastIndexOf('/', at - 2) + 1) {
      const folder = file.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** Long paths are meant less often, and what lies beside the folder one stands in. */
function distance(path: string, prefix: string): number {
  return path.length / 20 + (path.startsWith(prefix) ? 0 : 8);
}

function seenFrom(path: string, prefix: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length) || './';
  return '../'.repeat(prefix.split('/').length - 1) + path;
}
