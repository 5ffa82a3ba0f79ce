import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { decodeBytes, encodeBytes } from './path-list.ts';
import { listProjectFiles } from './project-files.ts';
import { rankFiles } from './rank.ts';

function write(folder: string, ...names: string[]) {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

const wanted = (top: string, isGit: boolean) => ({
  top,
  isGit,
  kept: join(top, '../state/files/x'),
  until: Date.now() + 20_000,
  now: Date.now,
});

async function look(top: string, isGit: boolean) {
  mkdirSync(join(top, '../state'), { recursive: true });
  const { list, folders, dirty, gone, committed, ...rest } = await listProjectFiles(wanted(top, isGit));
  const plain = (paths: Iterable<string>) => Array.from(paths, decodeBytes);
  return {
    files: plain(list.split('\0').slice(1, -1)),
    folders: plain(folders().split('\0').slice(1, -1)),
    dirty: plain(dirty),
    gone: plain(gone),
    committed: plain(committed),
    ...rest,
  };
}

test('lists tracked and new files of a repository, but not ignored ones', async () => {
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
  const { files, folders, dirty, committed, gone, has } = await look(top, true);
  expect(gone).toEqual(['gone.ts']);
  expect(new Set(folders)).toEqual(new Set(['src/', 'src/new/']));
  expect(['old.ts', 'src/new/日本.ts', 'src/a', 'dist/x.js'].map((path) => has(encodeBytes(path)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(files.sort()).toEqual([
    '.gitignore',
    'gone.ts',
    'old.ts',
    'src/a b.ts',
    'src/c.ts',
    'src/new/日本.ts',
  ]);
  expect(dirty.sort()).toEqual(['src/c.ts', 'src/new/日本.ts']);
  expect(committed).toEqual(['.gitignore', 'gone.ts', 'src/a b.ts', 'src/c.ts', 'old.ts']);
});

test('lists the files of a repository without commits, and of one that git does not recognise', async () => {
  const top = join(tempFolder(), 'project');
  write(top, 'a.ts');
  execFileSync('git', ['init', '-q', top]);
  expect((await look(top, true)).files).toEqual(['a.ts']);
  renameSync(join(top, '.git'), join(top, '.was-git'));
  expect((await look(top, true)).files).toEqual(['a.ts']);
});

test('lists folders that were never committed', async () => {
  const top = join(tempFolder(), 'project');
  write(top, 'src/deep/a.ts', 'new/b.ts');
  execFileSync('git', ['init', '-q', top]);
  execFileSync('git', ['-C', top, 'add', 'src']);
  const { files, folders } = await look(top, true);
  expect({ files, folders: folders.sort() }).toEqual({
    files: ['src/deep/a.ts', 'new/b.ts'],
    folders: ['new/', 'src/', 'src/deep/'],
  });
});

test.each(['', '\0', 'no end', 'x\0\0', '\0\0\0', '\xff\0\0\xfe'])(
  'survives any content of the cache: %j',
  async (garbage) => {
    const top = join(tempFolder(), 'project');
    write(top, 'a.ts', '../state/files/x.listed');
    execFileSync('git', ['init', '-q', top]);
    for (const name of ['listed', 'changed', 'logged'])
      writeFileSync(join(top, `../state/files/x.${name}`), garbage, 'latin1');
    const known = await listProjectFiles(wanted(top, true));
    for (const query of ['', 'a', 'src/a', '../'])
      expect(() => rankFiles({ ...known, remembered: [] }, { query, prefix: '', limit: 5 })).not.toThrow();
  },
);

test('outside git lists the nearest files first, without hidden and installed ones', async () => {
  const top = join(tempFolder(), 'folder');
  write(top, 'deep/er/a.ts', 'b.ts', 'node_modules/x/y.js', '.hidden/z', '.env');
  const { files, dirty, committed } = await look(top, false);
  expect({ files, dirty, committed }).toEqual({
    files: ['b.ts', 'deep/er/a.ts'],
    dirty: [],
    committed: [],
  });
});

test('a missing folder has no files', async () => {
  expect((await look(join(tempFolder(), 'gone'), false)).files).toEqual([]);
});
