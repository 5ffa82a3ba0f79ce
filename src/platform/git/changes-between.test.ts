import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { listChangesBetween, type TimeSpan } from './changes-between.ts';

const SECOND = 1_000;
/** Two minutes ago: when the files of each test repository were written and committed. */
const BEFORE = Date.now() - 120 * SECOND;

test('lists written, moved and deleted files that are not committed', () => {
  const repo = repository({
    'package.json': '{}',
    'src/old.ts': 'moved',
    'src/gone.ts': 'deleted',
    'lib/staged.ts': 'a',
    'docs/same.md': 'same',
  });
  put(repo, 'package.json', '{"dependencies":{"nanoid":"5.0.0"}}');
  put(repo, 'package-lock.json', '{}');
  put(repo, 'lib/staged.ts', 'b');
  git(repo, 'add', 'lib/staged.ts');
  git(repo, 'mv', 'src/old.ts', 'src/new.ts');
  rmSync(join(repo, 'src/gone.ts'));
  put(repo, 'src/api/client.ts', 'generated');
  put(repo, 'src/api/deep/types.ts', 'generated');
  expect(changed(repo)).toEqual([
    'lib/staged.ts',
    'package-lock.json',
    'package.json',
    'src/api/client.ts',
    'src/api/deep/types.ts',
    'src/gone.ts',
    'src/new.ts',
    'src/old.ts',
  ]);
});

test('does not list ignored files, installed packages or log files', () => {
  const repo = repository({ '.gitignore': 'secret.txt\n*.local\n' });
  put(repo, 'secret.txt', 'x');
  put(repo, 'node_modules/nanoid/index.js', 'x');
  put(repo, 'packages/app/node_modules/nanoid/index.js', 'x');
  put(repo, 'packages/app/settings.local', 'x');
  put(repo, 'packages/app/index.ts', 'x');
  put(repo, 'server.log', 'x');
  expect(changed(repo)).toEqual(['packages/app/index.ts']);
});

test('does not list files changed before the span or again after it', () => {
  const repo = repository({ 'a.ts': 'a', 'b.ts': 'b', 'deleted/before.ts': 'c' });
  rmSync(join(repo, 'deleted/before.ts'));
  put(repo, 'deleted/stays.ts', 'x');
  const span = { from: Date.now() - 60 * SECOND, until: Date.now() - 30 * SECOND };
  for (const [path, ago] of [
    ['a.ts', 90],
    ['b.ts', 10],
    ['new.ts', 45],
    ['deleted/stays.ts', 90],
    ['deleted', 90],
  ] as const) {
    if (path !== 'deleted') put(repo, path, 'changed');
    const at = Date.now() / SECOND - ago;
    utimesSync(join(repo, path), at, at);
  }
  expect(listChangesBetween(repo, span, { most: 200 }).paths).toEqual(['new.ts']);
});

test('lists the files of commits in the span, compared with the previous checkout', () => {
  const repo = repository({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
  put(repo, 'a.ts', 'changed');
  git(repo, 'mv', 'b.ts', 'moved.ts');
  git(repo, 'commit', '-q', '-a', '-m', 'change and move');
  git(repo, 'rm', '-q', 'c.ts');
  git(repo, 'commit', '-q', '--amend', '--no-edit');
  expect(changed(repo)).toEqual(['a.ts', 'b.ts', 'c.ts', 'moved.ts']);
});

test('lists only the amended files of an amended commit', () => {
  const repo = repository({ 'a.ts': 'a' });
  put(repo, 'b.ts', 'b');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '--amend', '--no-edit');
  expect(changed(repo)).toEqual(['b.ts']);
});

test('lists the files of the first commit', () => {
  const repo = tempFolder();
  git(repo, 'init', '-q', '-b', 'main');
  put(repo, 'a.ts', 'a');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '-m', 'begin');
  expect(changed(repo)).toEqual(['a.ts']);
});

test('does not list a commit undone by a reset, nor commits brought in by a merge', () => {
  const repo = repository({ 'a.ts': 'a' });
  git(repo, 'checkout', '-q', '-b', 'theirs');
  put(repo, 'theirs.ts', 'x');
  git(repo, 'add', '.');
  commitBefore(repo, 'theirs');
  git(repo, 'checkout', '-q', 'main');
  git(repo, 'merge', '-q', '--no-ff', '-m', 'merge', 'theirs');
  put(repo, 'wrong.ts', 'x');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '-m', 'wrong');
  git(repo, 'reset', '-q', '--hard', 'HEAD~1');
  expect(changed(repo)).toEqual([]);
});

test('without a reflog of HEAD, uses the commit times of the current branch', () => {
  const repo = repository({ 'a.ts': 'a' });
  put(repo, 'b.ts', 'b');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '-m', 'b');
  rmSync(join(repo, '.git/logs'), { recursive: true });
  expect(changed(repo)).toEqual(['b.ts']);
});

test('a linked worktree has its own changes and commits', () => {
  const repo = repository({ 'a.ts': 'a', 'b.ts': 'b' });
  const worktree = join(tempFolder(), 'worktree');
  git(repo, 'worktree', 'add', '-q', worktree, '-b', 'side');
  const from = Date.now();
  put(repo, 'only-main.ts', 'x');
  put(worktree, 'a.ts', 'changed');
  put(worktree, 'c.ts', 'new');
  git(worktree, 'add', 'c.ts');
  git(worktree, 'commit', '-q', '-m', 'c');
  expect(changed(worktree, { from: from - 5, until: Date.now() })).toEqual(['a.ts', 'c.ts']);
});

test('works from a subfolder and returns at most the requested number', () => {
  const repo = repository({ 'src/a.ts': 'a' });
  for (let at = 0; at < 20; at++) put(repo, `src/new/${at}.ts`, 'x');
  const found = listChangesBetween(join(repo, 'src'), now(), { most: 5 });
  expect({ ...found, paths: found.paths.length }).toEqual({ top: repo, paths: 5 });
});

test.each([
  ['a folder without git', () => tempFolder()],
  ['a missing folder', () => join(tempFolder(), 'gone')],
  ['a path that no file system accepts', () => 'a\0b'],
  [
    'a repository without HEAD',
    () => {
      const repo = repository({ 'a.ts': 'a' });
      renameSync(join(repo, '.git/HEAD'), join(repo, '.git/HEAD.lost'));
      return repo;
    },
  ],
])('%s has no changes', (_name, make) => {
  const folder = make();
  expect(listChangesBetween(folder, now(), { most: 200 })).toEqual({ top: folder, paths: [] });
});

function changed(repo: string, span: TimeSpan = now()): string[] {
  return listChangesBetween(repo, span, { most: 200 }).paths.toSorted();
}

function now(): TimeSpan {
  return { from: BEFORE + 60 * SECOND, until: Date.now() + SECOND };
}

/** Modification times are older than the span; change times (ctime) cannot be set. */
function repository(files: Record<string, string>): string {
  const repo = tempFolder();
  git(repo, 'init', '-q', '-b', 'main');
  for (const [path, content] of Object.entries(files)) {
    put(repo, path, content);
    utimesSync(join(repo, path), BEFORE / SECOND, BEFORE / SECOND);
  }
  git(repo, 'add', '.');
  commitBefore(repo, 'begin');
  return repo;
}

function commitBefore(repo: string, message: string): void {
  const date = `${Math.floor(BEFORE / SECOND)} +0000`;
  git(repo, 'commit', '-q', '-m', message, `--date=${date}`);
}

function put(repo: string, path: string, content: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), content);
}

function git(repo: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const isBefore = args.some((arg) => arg.startsWith('--date='));
  const date = `${Math.floor(BEFORE / SECOND)} +0000`;
  execFileSync('git', [...who, ...args], {
    cwd: repo,
    stdio: 'ignore',
    env: { ...process.env, ...(isBefore && { GIT_COMMITTER_DATE: date }) },
  });
}
