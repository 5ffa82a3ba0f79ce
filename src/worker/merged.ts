import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../platform/log.ts';
import { mainBranch } from '../recall/branch.ts';
import type { BranchMemories } from '../store/context-store.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 15 * 60_000;
const GIT_MS = 5_000;
let lastLooked = 0;

/** Now and then: what was learnt on a branch holds everywhere once that branch has been merged. */
export function noteMergedBranches(store: Store, { log, now }: { log: Log; now: () => number }): void {
  if (now() - lastLooked < EVERY_MS && lastLooked <= now()) return;
  lastLooked = now();
  const mains = mainBranches(store.listProjects().flatMap(({ places }) => places));
  const merged = store.memoriesOnBranches(mains).filter((where) => {
    const main = mains.find(({ place }) => place === where.place);
    return main !== undefined && isMerged(where, main.branch);
  });
  const memories = merged.reduce((sum, where) => sum + store.noteMerged(where, now()), 0);
  if (memories > 0) log.info('branches merged', { memories });
}

/** Of the places that are git's and still there. */
function mainBranches(places: string[]): { place: string; branch: string }[] {
  return places.flatMap((place) => {
    const branch = existsSync(join(place, 'HEAD')) ? mainBranch(place) : undefined;
    return branch === undefined ? [] : [{ place, branch }];
  });
}

/**
 * By ancestry only; a branch that was squashed cannot be told from one that was given up. A branch which has
 * just begun points at the main branch too, so its tip counts only where the work was committed: it has moved
 * on since the memory was made, or it was made in that very session.
 */
export function isMerged({ place, branch, commit, sessionBegan }: BranchMemories, main: string): boolean {
  const tip = git(place, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
  if (tip === null) return isAncestor(place, commit, main);
  if (tip === commit && committedAt(place, commit) < sessionBegan) return false;
  return isAncestor(place, tip, main);
}

function isAncestor(place: string, commit: string, main: string): boolean {
  return git(place, 'merge-base', '--is-ancestor', commit, `refs/heads/${main}`) !== null;
}

function committedAt(place: string, commit: string): number {
  // Git knows seconds only: a commit of this second may seem to be a moment older.
  return (Number(git(place, 'show', '--no-patch', '--format=%ct', commit) ?? 0) + 1) * 1_000;
}

function git(place: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', ['--git-dir', place, ...args], {
      timeout: GIT_MS,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
