import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** The README's pictures are made by scripts/draw-pictures.mjs and nothing else. */

const VIEWER = ['viewer-feed.png', 'viewer-injections.png', 'viewer-timeline.png'];
const repository = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(resolve(repository, name), 'utf8');
const { drawHookPicture }: { drawHookPicture: (tables: string) => string } = await import(
  resolve(repository, 'bench/hook-picture.mjs')
);

test('hook-time.svg shows the figures of docs/benchmarks.md', () => {
  expect(read('docs/images/hook-time.svg')).toBe(drawHookPicture(read('docs/benchmarks.md')));
});

test('a figure missing from the tables is an error', () => {
  expect(() => drawHookPicture('')).toThrow('docs/benchmarks.md has no row');
});

test('the README shows exactly the pictures that the script makes', () => {
  const shown = [...read('README.md').matchAll(/!\[[^\]]*\]\(docs\/images\/([^)]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(shown.sort()).toEqual(['hook-time.svg', 'next-session.svg', ...VIEWER]);
});

test('the pictures of the viewer are small enough for a repository', () => {
  const sizes = VIEWER.map((name) => statSync(resolve(repository, 'docs/images', name)).size);
  expect(sizes.filter((size) => size > 150_000)).toEqual([]);
});
