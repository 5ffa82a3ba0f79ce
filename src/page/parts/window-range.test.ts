import { expect, test } from 'vitest';
import { findWindow } from './window-range.ts';

const HEIGHTS = Array.from({ length: 1_000 }, () => 100);

test.each([
  { name: 'at the top', top: 0, range: { from: 0, to: 15, above: 0, below: 98_500 } },
  { name: 'in the middle', top: 50_000, range: { from: 494, to: 515, above: 49_400, below: 48_500 } },
  { name: 'at the end', top: 99_100, range: { from: 985, to: 1_000, above: 98_500, below: 0 } },
])('$name', ({ top, range }) => {
  expect(findWindow(HEIGHTS, top, 900)).toEqual(range);
});

test('an empty list has no rows', () => {
  expect(findWindow([], 0, 900)).toEqual({ from: 0, to: 0, above: 0, below: 0 });
});
