import { repositoryAt, runGitSync } from '../../platform/git/run.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 };

/** Git failed to answer a question that must be answered before writing. */
export class GitError extends Error {
  override name = 'GitError';
}

/** Paths that git prints, relative to the top. `paths` are passed on stdin. */
export function listGitPaths(top: string, args: string[], paths: string[] = []): string[] {
  const input = paths.map((path) => `${path}\0`).join('');
  const repository = repositoryAt(top);
  const { status, stdout, problem } = repository
    ? runGitSync(repository, args, { ...LIMITS, input })
    : { status: null, stdout: '', problem: 'its repository no longer exists' };
  // Git exits with 1 if none of them match.
  if (status === null || status > 1)
    throw new GitError(`Cannot ask git which files are ignored: ${problem}. Nothing was changed.`);
  return stdout.split('\0').filter((path) => path !== '');
}
