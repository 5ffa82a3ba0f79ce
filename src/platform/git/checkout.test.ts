import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { findCheckout, normaliseRemote } from './checkout.ts';

function git(folder: string, ...args: string[]): void {
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  );
}

function repository(): string {
  const folder = join(tempFolder(), 'repo');
  mkdirSync(folder);
  git(folder, 'init');
  git(folder, 'commit', '--allow-empty', '-m', 'first');
  return folder;
}

describe('findCheckout', () => {
  it.each([
    ['empty lines', '\n'.repeat(900_000)],
    ['spaces after the address', `[remote "origin"]\nurl = a${' '.repeat(900_000)}b`],
    ['slashes after the address', `[remote "origin"]\nurl = https://a/${'/'.repeat(900_000)}b`],
    ['sections', '[remote "origin"]'.repeat(50_000)],
  ])('reads a configuration with a megabyte of %s in linear time', (_name, config) => {
    const repo = repository();
    appendFileSync(join(repo, '.git/config'), config);
    // One regular expression for the whole file took hours; this test would time out.
    expect(findCheckout(repo)).toMatchObject({ top: repo, branch: 'main' });
  });

  it('finds the top folder, branch and common dir from a subfolder', () => {
    const repo = repository();
    mkdirSync(join(repo, 'a/b'), { recursive: true });
    expect(findCheckout(join(repo, 'a/b'))).toEqual({
      top: repo,
      commonDir: join(repo, '.git'),
      isWorktree: false,
      branch: 'main',
    });
  });

  it('recognizes a worktree, which shares the common dir of its repository', () => {
    const repo = repository();
    const worktree = join(tempFolder(), 'feature');
    git(repo, 'worktree', 'add', '-b', 'feature', worktree);
    expect(findCheckout(worktree)).toEqual({
      top: worktree,
      commonDir: join(repo, '.git'),
      isWorktree: true,
      branch: 'feature',
    });
  });

  it('finds the repository of a deleted worktree inside it', () => {
    const repo = repository();
    const worktree = join(repo, '.worktrees/gone');
    git(repo, 'worktree', 'add', '-b', 'gone', worktree);
    rmSync(worktree, { recursive: true });
    expect(findCheckout(worktree)?.commonDir).toBe(join(repo, '.git'));
  });

  it('reads the remote and a detached head', () => {
    const repo = repository();
    git(repo, 'remote', 'add', 'upstream', 'https://example.com/other/one.git');
    git(repo, 'remote', 'add', 'origin', 'git@example.com:team/app.git');
    git(repo, 'checkout', '--detach');
    expect(findCheckout(repo)).toEqual({
      top: repo,
      commonDir: join(repo, '.git'),
      isWorktree: false,
      remote: 'example.com/team/app',
    });
  });

  it('returns null outside git', () => {
    expect(findCheckout(tempFolder())).toBeNull();
  });
});

it.each([
  ['https://github.com/a/b.git', 'github.com/a/b'],
  ['https://user:secret@GitHub.com/a/b', 'github.com/a/b'],
  ['git@github.com:a/b.git', 'github.com/a/b'],
  ['ssh://git@github.com:22/a/b.git/', 'github.com/a/b'],
  ['/srv/git/b.git', '/srv/git/b'],
  ['../b', '../b'],
  ['C:\\repos\\b', 'C:\\repos\\b'],
])('normalises the remote %s to %s', (url, expected) => {
  expect(normaliseRemote(url)).toBe(expected);
});
