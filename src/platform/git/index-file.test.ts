import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { findChangedFiles as changedAmongSince } from './index-file.ts';

const FILES = ['a.ts', 'src/b.ts', 'src/deep/größe 日本.ts', 'src/same.ts', 'z'];

const changedAmong = (top: string, paths: string[]) => changedAmongSince(top, paths, { since: 0 });

describe('changedAmong', () => {
  it('returns nothing right after a commit', () => {
    expect(changedAmong(repository(), FILES)).toEqual([]);
  });

  it('returns the requested files that were written since, latest first', () => {
    const repo = repository();
    for (const [second, path] of ['src/deep/größe 日本.ts', 'a.ts', 'src/b.ts', 'new.ts'].entries()) {
      put(repo, path, 'longer than before');
      utimesSync(join(repo, path), second + 1, second + 1);
    }
    rmSync(join(repo, 'z'));
    expect(changedAmong(repo, ['src/deep/größe 日本.ts', 'z', 'src/same.ts', 'new.ts', 'a.ts'])).toEqual([
      'a.ts',
      'src/deep/größe 日本.ts',
    ]);
  });

  it('leaves out files written before the given time', () => {
    const repo = repository();
    put(repo, 'a.ts', 'longer than before');
    put(repo, 'z', 'longer than before');
    utimesSync(join(repo, 'a.ts'), 100, 100);
    utimesSync(join(repo, 'z'), 200, 200);
    expect(changedAmongSince(repo, FILES, { since: 150_000 })).toEqual(['z']);
  });

  it('detects a change that keeps the size', () => {
    const repo = repository();
    const before = readFileSync(join(repo, 'a.ts'), 'utf8');
    put(repo, 'a.ts', before.toUpperCase());
    utimesSync(join(repo, 'a.ts'), new Date(), new Date(Date.now() + 5_000));
    expect(changedAmong(repo, FILES)).toEqual(['a.ts']);
  });

  it('leaves out a changed file once it is committed', () => {
    const repo = repository();
    put(repo, 'a.ts', 'longer than before');
    git(repo, 'commit', '--quiet', '--all', '-m', 'changed');
    expect(changedAmong(repo, FILES)).toEqual([]);
  });

  it('still returns a changed file after another file was committed', () => {
    const repo = repository();
    put(repo, 'a.ts', 'longer than before');
    put(repo, 'z', 'longer than before');
    git(repo, 'commit', '--quiet', '-m', 'changed', 'z');
    expect(changedAmong(repo, FILES)).toEqual(['a.ts']);
  });

  it('uses the own index of a worktree', () => {
    const repo = repository();
    const worktree = join(tempFolder(), 'feature');
    git(repo, 'worktree', 'add', '--quiet', worktree);
    put(worktree, 'z', 'longer than before');
    expect([changedAmong(repo, FILES), changedAmong(worktree, FILES)]).toEqual([[], ['z']]);
  });

  it.each([
    ['assumed to be unchanged', ['update-index', '--assume-unchanged', 'a.ts']],
    ['left out of a sparse checkout', ['update-index', '--skip-worktree', 'a.ts']],
  ])('skips an entry that is %s, but not the entries after it', (_name, args) => {
    const repo = repository();
    git(repo, ...args);
    put(repo, 'a.ts', 'longer than before');
    put(repo, 'z', 'longer than before');
    expect(changedAmong(repo, FILES)).toEqual(['z']);
  });

  it.each([
    [
      'a damaged index',
      (repo: string) => writeFileSync(join(repo, '.git/index'), 'DIRC\0\0\0\x02\0\0\x10\0'),
    ],
    ['an empty index', (repo: string) => writeFileSync(join(repo, '.git/index'), '')],
    ['no index', (repo: string) => rmSync(join(repo, '.git/index'))],
    ['no git', (repo: string) => rmSync(join(repo, '.git'), { recursive: true })],
  ])('returns nothing with %s', (_name, spoil) => {
    const repo = repository();
    put(repo, 'a.ts', 'longer than before');
    spoil(repo);
    expect(changedAmong(repo, FILES)).toEqual([]);
  });
});

function repository(): string {
  const folder = tempFolder();
  git(folder, 'init', '--quiet');
  for (const path of FILES) put(folder, path, 'text');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });
}
