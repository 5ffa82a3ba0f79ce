import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { findPlace } from './place.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});

test('without git, the place is the folder itself', () => {
  mkdirSync(join(root, 'notes'));
  expect(findPlace(join(root, 'notes'))).toEqual({ path: join(root, 'notes'), name: 'notes' });
});

test('a link to a folder is the same place', () => {
  mkdirSync(join(root, 'notes'));
  symlinkSync(join(root, 'notes'), join(root, 'link'));
  expect(findPlace(join(root, 'link'))).toEqual(findPlace(join(root, 'notes')));
});

test('a missing folder keeps its own path', () => {
  expect(findPlace(join(root, 'gone/deep'))).toEqual({ path: join(root, 'gone/deep'), name: 'deep' });
});

test('any folder of a repository belongs to the repository', () => {
  const top = repository('orchard');
  mkdirSync(join(top, 'src/deep'), { recursive: true });
  const place = { path: join(top, '.git'), name: 'orchard', branch: 'main' };
  expect(findPlace(top)).toEqual(place);
  expect(findPlace(join(top, 'src/deep'))).toEqual(place);
});

test('folders of the same name are different places', () => {
  const [first, second] = [repository('a/orchard'), repository('b/orchard')];
  expect(findPlace(first).name).toBe(findPlace(second).name);
  expect(findPlace(first).path).not.toBe(findPlace(second).path);
});

test('https and scp forms of a remote are the same remote', () => {
  const [first, second] = [repository('one'), repository('two')];
  git(first, 'remote', 'add', 'origin', 'https://me:secret@example.org/Team/orchard.git');
  git(second, 'remote', 'add', 'origin', 'git@example.org:Team/orchard.git');
  expect([findPlace(first).remote, findPlace(second).remote]).toEqual([
    'example.org/Team/orchard',
    'example.org/Team/orchard',
  ]);
});

test('a worktree belongs to its repository, with its own branch and folder', () => {
  const top = repository('orchard');
  const worktree = join(root, 'elsewhere');
  git(top, 'worktree', 'add', '-q', '-b', 'graft', worktree);
  const inWorktree = { path: join(top, '.git'), name: 'orchard', branch: 'graft', worktree };
  expect(findPlace(worktree)).toEqual(inWorktree);
  mkdirSync(join(worktree, 'deep'));
  expect(findPlace(join(worktree, 'deep'))).toEqual(inWorktree);
});

test('a deleted worktree inside its repository still belongs to it', () => {
  const top = repository('orchard');
  const worktree = join(top, 'trees', 'graft');
  git(top, 'worktree', 'add', '-q', '-b', 'graft', worktree);
  rmSync(worktree, { recursive: true });
  expect(findPlace(worktree)).toEqual({ path: join(top, '.git'), name: 'orchard', branch: 'main' });
});

test('worktrees of a bare repository have its name', () => {
  const top = repository('orchard');
  const bare = join(root, 'orchard.git');
  execFileSync('git', ['clone', '-q', '--bare', top, bare]);
  const worktree = join(root, 'checkout');
  git(bare, 'worktree', 'add', '-q', worktree, 'main');
  expect(findPlace(worktree)).toMatchObject({ path: bare, name: 'orchard', worktree });
});

function repository(name: string): string {
  const top = join(root, name);
  mkdirSync(top, { recursive: true });
  git(top, 'init', '-q', '-b', 'main');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'start');
  return top;
}

function git(folder: string, ...args: string[]): void {
  const person = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.invalid'];
  execFileSync('git', ['-C', folder, ...person, ...args], { stdio: 'pipe' });
}
