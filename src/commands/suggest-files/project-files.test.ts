import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { projectFiles } from './project-files.ts';

function write(folder: string, ...names: string[]) {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

async function look(top: string, isGit: boolean) {
  const state = join(top, '../state');
  mkdirSync(state, { recursive: true });
  const { list, ...rest } = await projectFiles({
    top,
    isGit,
    kept: join(state, 'files/x'),
    until: Date.now() + 20_000,
    now: Date.now,
  });
  return { files: list.split('\0').slice(1, -1), ...rest };
}

test('under git: what it tracks and what is new, without what is ignored', async () => {
  const top = join(tempFolder(), "it's a project");
  write(top, 'src/a b.ts', 'src/c.ts', 'gone.ts', '.gitignore', 'old.ts');
  writeFileSync(join(top, '.gitignore'), 'dist/\n');
  const as = ['-c', 'user.name=r', '-c', 'user.email=r@example.invalid', '-C', top];
  const git = (...args: string[]) => execFileSync('git', [...as, ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', 'old.ts');
  git('commit', '-qm', 'one');
  git('add', '-A');
  git('commit', '-qm', 'two');
  write(top, 'src/new/日本.ts', 'dist/x.js');
  writeFileSync(join(top, 'src/c.ts'), 'changed');
  rmSync(join(top, 'gone.ts'));
  const { files, dirty, committed, gone } = await look(top, true);
  expect([...gone]).toEqual(['gone.ts']);
  expect(files.sort()).toEqual([
    '.gitignore',
    'gone.ts',
    'old.ts',
    'src/a b.ts',
    'src/c.ts',
    'src/new/日本.ts',
  ]);
  expect([...dirty].sort()).toEqual(['src/c.ts', 'src/new/日本.ts']);
  expect(committed).toEqual(['.gitignore', 'gone.ts', 'src/a b.ts', 'src/c.ts', 'old.ts']);
});

test('a repository without a commit, and one that git refuses', async () => {
  const top = join(tempFolder(), 'project');
  write(top, 'a.ts');
  execFileSync('git', ['init', '-q', top]);
  expect((await look(top, true)).files).toEqual(['a.ts']);
  renameSync(join(top, '.git'), join(top, '.was-git'));
  expect((await look(top, true)).files).toEqual(['a.ts']);
});

test('outside git: the nearest first, nothing hidden, nothing installed', async () => {
  const top = join(tempFolder(), 'folder');
  write(top, 'deep/er/a.ts', 'b.ts', 'node_modules/x/y.js', '.hidden/z', '.env');
  const { files, dirty, committed } = await look(top, false);
  expect({ files, dirty: dirty.size, committed }).toEqual({
    files: ['b.ts', 'deep/er/a.ts'],
    dirty: 0,
    committed: [],
  });
});

test('a folder that is not there has no files', async () => {
  expect((await look(join(tempFolder(), 'gone'), false)).files).toEqual([]);
});
