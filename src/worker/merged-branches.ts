import { commitOfReference, isCommitId } from '../platform/git/references.ts';
import { type Repository, repositoryIn, runGitSync } from '../platform/git/run.ts';
import type { Log } from '../platform/log.ts';
import { mainBranch } from '../recall/branch.ts';
import type { Store } from '../store/store.ts';
import type { BranchMemories } from '../store/types/context.ts';

const EVERY_MS = 15 * 60_000;
const GIT_LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };
let lastLooked = 0;

/** Periodically: memories of a merged branch apply everywhere. */
export function markMergedBranches(store: Store, { log, now }: { log: Log; now: () => number }): void {
  if (now() - lastLooked < EVERY_MS && lastLooked <= now()) return;
  lastLooked = now();
  const mains = mainBranches(store.listProjects().flatMap(({ places }) => places));
  const merged = store.listBranchMemories(mains).filter((where) => {
    const main = mains.find(({ place }) => place === where.place);
    return main !== undefined && isMerged(where, main.branch);
  });
  const memories = merged.reduce((sum, where) => sum + store.markMerged(where, now()), 0);
  if (memories > 0) log.info('branches merged', { memories });
}

/** Main branches of places that are repositories, still exist and belong to this user. */
function mainBranches(places: string[]): { place: string; branch: string }[] {
  return places.flatMap((place) => {
    const branch = repositoryIn(place) ? mainBranch(place) : undefined;
    return branch === undefined ? [] : [{ place, branch }];
  });
}

/**
 * Decides by ancestry only; a squashed branch looks like an abandoned one. A new branch also points at the main branch,
 * so its tip counts only if the work was committed: the tip has moved since the memory was made, or was committed in
 * that session.
 */
export function isMerged({ place, branch, commit, sessionBegan }: BranchMemories, main: string): boolean {
  const repository = repositoryIn(place);
  const mainTip = repository && commitOfReference(repository, `refs/heads/${main}`);
  if (!mainTip || !isCommitId(commit)) return false;
  const tip = commitOfReference(repository, `refs/heads/${branch}`);
  if (tip === undefined) return isAncestor(repository, commit, mainTip);
  if (tip === commit && committedAt(repository, commit) < sessionBegan) return false;
  return isAncestor(repository, tip, mainTip);
}

function isAncestor(repository: Repository, commit: string, ofCommit: string): boolean {
  return runGitSync(repository, ['merge-base', '--is-ancestor', commit, ofCommit], GIT_LIMITS).status === 0;
}

function committedAt(repository: Repository, commit: string): number {
  const { stdout } = runGitSync(repository, ['rev-list', '--no-walk', '--timestamp', commit], GIT_LIMITS);
  // Git stores whole seconds: a commit of this second may look older than it is.
  return (Number(stdout.split(' ')[0]) + 1) * 1_000;
}
