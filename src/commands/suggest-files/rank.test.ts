import { expect, test } from 'vitest';
import { listOf } from './project-files.ts';
import { type KnownFiles, rankFiles } from './rank.ts';

const nothing = { gone: new Set<string>(), dirty: new Set<string>(), committed: [], remembered: [] };
const remember = (path: string, more = {}) => ({ path, changes: 0, at: 1, isOfWork: false, ...more });
type Some = Partial<KnownFiles> & { files: string[] };
const rank = ({ files, ...known }: Some, query = '', prefix = '', limit = 20) =>
  rankFiles({ ...nothing, ...known, list: listOf(files) }, { query, prefix, limit });

test('of files that fit as well, the one that matters comes first', () => {
  const files = ['a/index.ts', 'b/index.ts', 'c/index.ts', 'd/index.ts', 'e/index.ts'];
  const known = {
    files,
    remembered: [remember('e/index.ts', { isOfWork: true }), remember('d/index.ts', { changes: 3 })],
    dirty: new Set(['c/index.ts']),
    committed: ['b/index.ts'],
  };
  expect(rank(known, 'index')).toEqual([
    'e/index.ts',
    'd/index.ts',
    'c/index.ts',
    'b/index.ts',
    'a/index.ts',
  ]);
  expect(rank(known)).toEqual(['e/index.ts', 'd/index.ts', 'c/index.ts', 'b/index.ts', 'a/index.ts']);
});

test('what was typed counts for more than what is remembered', () => {
  const known = {
    files: ['src/restoring.ts', 'src/store.ts'],
    remembered: [remember('src/restoring.ts', { isOfWork: true, changes: 9 })],
  };
  expect(rank(known, 'store')).toEqual(['src/store.ts']);
  expect(rank(known, 'stor')).toEqual(['src/store.ts', 'src/restoring.ts']);
});

test('the latest memories count for more', () => {
  const remembered = Array.from({ length: 50 }, (_, index) => remember(`f${index}.ts`, { at: index }));
  expect(rank({ files: ['f0.ts', 'f49.ts'], remembered })).toEqual(['f49.ts', 'f0.ts']);
});

test('only what is there, once, and what is remembered but gone is not', () => {
  const remembered = [remember('gone.ts')];
  expect(rank({ files: ['here.ts', 'here.ts'], remembered })).toEqual(['here.ts']);
  expect(rank({ files: ['here.ts', 'here.ts'], remembered }, 'here')).toEqual(['here.ts']);
});

test('listed but not there', () => {
  const known = { files: ['a.ts', 'gone.ts'], gone: new Set(['gone.ts']), committed: ['gone.ts'] };
  expect([rank(known), rank(known, 'ts')]).toEqual([['a.ts'], ['a.ts']]);
});

test.each(['[', '.*', '^', '\\', 'ü', '語', '(', '$'])('%s is a letter like any other', (letter) => {
  expect(rank({ files: [`src/${letter}a.ts`, 'src/b.ts'] }, letter)).toEqual([`src/${letter}a.ts`]);
});

test('folders can be meant, when something was typed', () => {
  const files = ['src/store/sqlite/open.ts'];
  expect(rank({ files }, 'sqlite')).toEqual(['src/store/sqlite/', 'src/store/sqlite/open.ts']);
  expect(rank({ files })).toEqual(files);
});

test('seen from a folder below the top: its own first, the others from there', () => {
  const files = ['a/index.ts', 'packages/app/index.ts', 'packages/app/src/index.ts'];
  expect(rank({ files }, '../../a', 'packages/app/', 2)).toEqual(['../../a/', '../../a/index.ts']);
  expect(rank({ files }, 'index', 'packages/app/')).toEqual(['index.ts', 'src/index.ts', '../../a/index.ts']);
});

test('large and small letters are the same, and there is an end to it', () => {
  const files = Array.from({ length: 100 }, (_, index) => `README-${index}.md`);
  expect(rank({ files }, 'readme', '', 3)).toHaveLength(3);
  expect(rank({ files: ['ReadMe.md'] }, 'README')).toEqual(['ReadMe.md']);
});
