import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '..');
const { MAY_IMPORT }: { MAY_IMPORT: [place: string, folders: string[]][] } = await import(
  resolve(repository, 'scripts/may-import.mjs')
);
const read = (name: string) => readFileSync(resolve(repository, name), 'utf8');
const inSrc = readdirSync(resolve(repository, 'src')).sort();
/** Rows for a whole folder, without those for some of its files. */
const rows = MAY_IMPORT.filter(([place]) => !place.includes('/'));

test('src has one import rule for each folder', () => {
  expect(rows.map(([place]) => place).sort()).toEqual(inSrc);
  expect(MAY_IMPORT.flatMap(([, folders]) => folders).filter((folder) => !inSrc.includes(folder))).toEqual(
    [],
  );
});

test('the table in docs/architecture.md matches scripts/may-import.mjs', () => {
  const documented = read('docs/architecture.md').matchAll(/^\| `src\/([\w.]+)` \|.*\| ([^|]*) \|$/gm);
  expect(Object.fromEntries([...documented].map(([, place, folders]) => [place, folders]))).toEqual(
    Object.fromEntries(rows.map(([place, folders]) => [place, folders.join(', ') || 'nothing'])),
  );
});

test("AGENTS.md's map names everything in src", () => {
  const named = [...read('AGENTS.md').matchAll(/^ {4}src\/([\w.]+)/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(inSrc);
});

test("AGENTS.md's map names every other folder", () => {
  const named = [...read('AGENTS.md').matchAll(/^ {4}([a-z]+)\/ /gm)].map(([, name]) => name);
  const folders = readdirSync(repository, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z]+$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !['src', 'dist'].includes(name));
  expect(named.sort()).toEqual(folders.sort());
});

test('the documents name only source files that exist', () => {
  const pages = [
    ...readdirSync(repository),
    ...readdirSync(resolve(repository, 'docs')).map((name) => `docs/${name}`),
  ];
  const files = new Set(
    ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
      readdirSync(resolve(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        basename(name),
      ),
    ),
  );
  const named = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      [...read(page).matchAll(/`(?:[\w./-]*\/)?([\w-]+\.(?:ts|mjs|sh))`/g)].map(([, name = '']) => name),
    );
  // docs/continuity.md uses a memory-store.ts of an imaginary project as an example.
  const missing = named.filter((name) => !files.has(name) && name !== 'memory-store.ts');
  expect(missing).toEqual([]);
});
