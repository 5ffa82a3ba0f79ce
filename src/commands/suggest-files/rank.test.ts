import { expect, test } from 'vitest';
import { encodeBytes } from './path-list.ts';
import { createFileList } from './project-files.ts';
import { type KnownProjectFiles, rankFiles } from './rank.ts';

const remember = (path: string, more = {}) => ({ path, changes: 0, at: 1, isOfWork: false, ...more });
type Some = Partial<KnownProjectFiles> & { files: string[] };
const rank = ({ files, ...known }: Some, query = '', prefix = '', limit = 20) =>
  rankFiles({ ...createFileList(files), remembered: [], ...known }, { query, prefix, limit });

test('among equal matches the most relevant file comes first', () => {
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

test('the query counts more than history', () => {
  const known = {
    files: ['src/restoring.ts', 'src/store.ts'],
    remembered: [remember('src/restoring.ts', { isOfWork: true, changes: 9 })],
  };
  expect(rank(known, 'store')).toEqual(['src/store.ts']);
  expect(rank(known, 'stor')).toEqual(['src/store.ts', 'src/restoring.ts']);
});

test('recent memories count more', () => {
  const remembered = Array.from({ length: 50 }, (_, index) => remember(`f${index}.ts`, { at: index }));
  expect(rank({ files: ['f0.ts', 'f49.ts'], remembered })).toEqual(['f49.ts', 'f0.ts']);
});

test('lists each existing file once, and no remembered file that is gone', () => {
  const remembered = [remember('gone.ts')];
  expect(rank({ files: ['here.ts', 'here.ts'], remembered })).toEqual(['here.ts']);
  expect(rank({ files: ['here.ts', 'here.ts'], remembered }, 'here')).toEqual(['here.ts']);
});

test('leaves out listed files that were deleted', () => {
  const known = { files: ['a.ts', 'gone.ts'], gone: new Set(['gone.ts']), committed: ['gone.ts'] };
  expect([rank(known), rank(known, 'ts')]).toEqual([['a.ts'], ['a.ts']]);
});

test.each(['[', '.*', '^', '\\', 'ü', '語', '(', '$'])('treats %s as a literal character', (letter) => {
  expect(rank({ files: [`src/${letter}a.ts`, 'src/b.ts'] }, letter)).toEqual([`src/${letter}a.ts`]);
});

test('suggests folders once something is typed', () => {
  const files = ['src/store/sqlite/open.ts'];
  expect(rank({ files }, 'sqlite')).toEqual(['src/store/sqlite/', 'src/store/sqlite/open.ts']);
  expect(rank({ files })).toEqual(files);
});

test('lists files in the current folder first, and other paths relative to it', () => {
  const files = ['a/index.ts', 'packages/app/index.ts', 'packages/app/src/index.ts'];
  expect(rank({ files }, '../../a', 'packages/app/', 2)).toEqual(['../../a/', '../../a/index.ts']);
  expect(rank({ files }, 'index', 'packages/app/')).toEqual(['index.ts', 'src/index.ts', '../../a/index.ts']);
});

test('ignores case and respects the limit', () => {
  const files = Array.from({ length: 100 }, (_, index) => `README-${index}.md`);
  expect(rank({ files }, 'readme', '', 3)).toHaveLength(3);
  expect(rank({ files: ['ReadMe.md'] }, 'README')).toEqual(['ReadMe.md']);
});

test('prefers the shortest of very many paths, wherever they are in the list', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `src/parts/part-${index + 1_000}.ts`);
  const files = [...many, 'src/parts/part-1.ts', 'z/part.ts'];
  expect(rank({ files }, 'part', '', 4)).toEqual([
    'z/part.ts',
    'src/parts/',
    'src/parts/part-1.ts',
    'src/parts/part-1000.ts',
  ]);
  expect(rank({ files }, 'art', '', 2)).toEqual(['z/part.ts', 'src/parts/']);
  expect(rank({ files }, 'parts/', '', 3)).toEqual([
    'src/parts/',
    'src/parts/part-1.ts',
    'src/parts/part-1000.ts',
  ]);
  expect(rank({ files }, 'part', 'src/', 3)).toEqual(['../z/part.ts', 'parts/', 'parts/part-1.ts']);
});

test('ignores the name of the current folder when matching', () => {
  const files = ['app/app.ts', 'app/main.ts', 'lib/apple.ts'];
  expect(rank({ files }, 'app', 'app/')).toEqual(['app.ts', '../lib/apple.ts']);
});

test('a query that starts with ../ matches only files outside the current folder', () => {
  const files = ['a/one.ts', 'b/one.ts', 'c.ts'];
  expect(rank({ files }, '../', 'a/')).toEqual(['../c.ts', '../b/one.ts']);
  expect(rank({ files }, '../o', 'a/')).toEqual(['../b/one.ts']);
  expect([rank({ files }, '../'), rank({ files }, '../o')]).toEqual([[], []]);
});

test.each([
  { name: 'a NUL', query: '\0' },
  { name: 'a NUL between letters', query: 'a\0b' },
  { name: 'half a letter', query: '\ud83d' },
  { name: 'more letters than a path has', query: 'a'.repeat(300) },
  { name: 'more letters than any path has', query: 'a'.repeat(100_000) },
])('$name matches no path', ({ query }) => {
  expect(rank({ files: ['a.ts', 'b.ts', 'aaaa/aaaa'] }, query)).toEqual([]);
});

test('matches a long path in full', () => {
  const path = `${'folder/'.repeat(100)}name.ts`;
  expect(rank({ files: [path, 'b.ts'] }, path)).toEqual([path]);
});

test('matches non-ASCII names in any case, and from a folder with such a name', () => {
  const files = ['日本/Übung.ts', '日本/über.ts', 'straße.ts'];
  expect(rank({ files }, 'üb')).toEqual(['日本/über.ts', '日本/Übung.ts']);
  expect(rank({ files }, 'ÜBG')).toEqual(['日本/Übung.ts']);
  expect(rank({ files }, '', encodeBytes('日本/'))).toEqual(['über.ts', 'Übung.ts', '../straße.ts']);
  expect(rank({ files, remembered: [remember(encodeBytes('日本/Übung.ts'))] }, 'b')).toEqual([
    '日本/Übung.ts',
    '日本/über.ts',
  ]);
});

test('finishes with a query of one repeated letter', () => {
  const files = Array.from({ length: 200 }, (_, index) => `${'a'.repeat(200)}${index}`);
  expect(rank({ files }, `${'a'.repeat(30)}b`)).toEqual([]);
});
