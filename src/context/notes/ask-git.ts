import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const GIT_MS = 60_000;
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** Git could not tell what we must know before anything is written. */
export class GitTrouble extends Error {
  override name = 'GitTrouble';
}

/** Paths that git names in its answer, from the top of the checkout; `paths` are asked about through stdin. */
export function pathsFromGit(top: string, args: string[], paths: string[] = []): string[] {
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    // Named, so that variables of a git hook that runs us do not lead to another repository.
    ['--git-dir', join(top, '.git'), '--work-tree', top, '-c', 'core.fsmonitor=false', ...args],
    {
      cwd: top,
      input: paths.map((path) => `${path}\0`).join(''),
      encoding: 'utf8',
      timeout: GIT_MS,
      maxBuffer: LARGEST_ANSWER,
    },
  );
  // 1 is git's word for "none of them".
  if (error || status === null || status > 1)
    throw new GitTrouble(
      `Git, which knows what is ignored here, does not answer: ${(error?.message ?? stderr).trim()}. Nothing was changed.`,
    );
  return stdout.split('\0').filter((path) => path !== '');
}
