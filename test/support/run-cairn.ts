import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/installation.ts';

export interface CairnRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built `cairn` as a person whose home is `home` does. */
export function runCairn(
  {
    home,
    cwd = home,
    stdin = '',
    env = {},
  }: { home: string; cwd?: string; stdin?: string; env?: Record<string, string> },
  ...args: string[]
): CairnRun {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(packageRoot(), 'dist/cli.mjs'), ...args],
    {
      cwd,
      input: stdin,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { HOME: home, PATH: process.env.PATH, CAIRN_NO_WORKER: '1', ...env },
    },
  );
  return { exitCode: status, stdout, stderr };
}

/** Creates a git repository in a new folder. */
export function makeRepository(folder: string, remote?: string): string {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  if (remote !== undefined) git('remote', 'add', 'origin', remote);
  return folder;
}
