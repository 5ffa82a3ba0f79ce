import { expect, test } from 'vitest';
import { createTopPaths } from './top-paths.ts';

test('keeps the highest scores in order, each path once', () => {
  const best = createTopPaths(3);
  for (const [path, score] of [
    ['b', 2],
    ['a', 2],
    ['a', 9],
    ['c', 5],
  ] as const)
    best.add(path, score);
  expect([best.paths(), best.isFull(), best.bar()]).toEqual([['c', 'a', 'b'], true, 2]);
  best.add('d', 3);
  expect([best.paths(), best.bar()]).toEqual([['c', 'd', 'a'], 2]);
});

test('accepts any score while there is room', () => {
  const best = createTopPaths(2);
  best.add('a', -5);
  expect([best.paths(), best.isFull(), best.bar()]).toEqual([['a'], false, Number.NEGATIVE_INFINITY]);
});
