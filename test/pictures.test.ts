import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** The README's pictures are made by scripts/draw-pictures.mjs and nothing else. */

const repository = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(resolve(repository, name), 'utf8');
const { drawHookPicture }: { drawHookPicture: (tables: string) => string } = await import(
  resolve(repository, 'bench/hook-picture.mjs')
);

test('hook-time.svg shows the figures of docs/benchmarks.md', () => {
  expect(read('docs/images/hook-time.svg')).toBe(drawHookPicture(read('docs/benchmarks.md')));
});

test('a figure that is missing from the tables is an error', () => {
  expect(() => drawHookPicture('')).toThrow('docs/benchmarks.md has no row');
});

test('the README shows only pictures that the script makes', () => {
  const shown = [...read('README.md').matchAll(/!\[[^\]]*\]\(docs\/images\/([^)]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(shown.sort()).toEqual(['hook-time.svg', 'next-session.svg']);
});
