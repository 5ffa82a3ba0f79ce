import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { listChangesBetween, type TimeSpan } from './changes-between.ts';

const SECOND = 1_000;
/** Two minutes ago, when the files of a repository below were written and committed. */
const BEFORE = Date.now() - 120 * SECOND;

test('what was written, moved and deleted, and is not committed', () => {
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

test('what is ignored, installed, built or a mere trace of a program is not listed', () => {
  const repo = repository({ '.gitignore': 'secret.txt\n*.local\n' });
  put(repo, 'secret.txt', 'x');
  put(repo, 'node_modules/nanoid/index.js', 'x');
  put(repo, 'packages/app/node_modules/nanoid/index.js', 'x');
  put(repo, 'packages/app/settings.local', 'x');
  put(repo, 'packages/app/index.ts', 'x');
  put(repo, 'server.log', 'x');
  expect(changed(repo)).toEqual(['packages/app/index.ts']);
});

test('what was changed before or again after the span is not listed', () => {
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

test('commits of the span, as they differ from what was checked out before', () => {
  const repo = repository({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
  put(repo, 'a.ts', 'changed');
  git(repo, 'mv', 'b.ts', 'moved.ts');
  git(repo, 'commit', '-q', '-a', '-m', 'change and move');
  git(repo, 'rm', '-q', 'c.ts');
  git(repo, 'commit', '-q', '--amend', '--no-edit');
  expect(changed(repo)).toEqual(['a.ts', 'b.ts', 'c.ts', 'moved.ts']);
});

test('an amended commit adds only what was amended', () => {
  const repo = repository({ 'a.ts': 'a' });
  put(repo, 'b.ts', 'b');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '--amend', '--no-edit');
  expect(changed(repo)).toEqual(['b.ts']);
});

test('the first commit of a repository', () => {
  const repo = tempFolder();
  git(repo, 'init', '-q', '-b', 'main');
  put(repo, 'a.ts', 'a');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '-m', 'begin');
  expect(changed(repo)).toEqual(['a.ts']);
});

test('a commit that a reset took back, and what a merge brought along, are not listed', () => {
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

test('without a log of HEAD, the commits of the current branch by their time', () => {
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

test('from a folder below the top; never more than asked for', () => {
  const repo = repository({ 'src/a.ts': 'a' });
  for (let at = 0; at < 20; at++) put(repo, `src/new/${at}.ts`, 'x');
  const found = listChangesBetween(join(repo, 'src'), now(), { most: 5 });
  expect({ ...found, paths: found.paths.length }).toEqual({ top: repo, paths: 5 });
});

test.each([
  ['a folder without git', () => tempFolder()],
  ['a folder that is gone', () => join(tempFolder(), 'gone')],
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

/** Its files are older than the span, as far as times can be set: a file is new to the disk when it is written. */
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
