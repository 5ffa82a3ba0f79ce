import { repositoryAt, runGitSync } from '../../platform/git/run.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 };

/** Git could not tell what we must know before anything is written. */
export class GitError extends Error {
  override name = 'GitError';
}

/** Paths that git names in its answer, from the top of the checkout; `paths` are asked about through stdin. */
export function listGitPaths(top: string, args: string[], paths: string[] = []): string[] {
  const input = paths.map((path) => `${path}\0`).join('');
  const repository = repositoryAt(top);
  const { status, stdout, problem } = repository
    ? runGitSync(repository, args, { ...LIMITS, input })
    : { status: null, stdout: '', problem: 'its repository has gone' };
  // 1 is git's word for "none of them".
  if (status === null || status > 1)
    throw new GitError(`Cannot ask git which files are ignored: ${problem}. Nothing was changed.`);
  return stdout.split('\0').filter((path) => path !== '');
}
