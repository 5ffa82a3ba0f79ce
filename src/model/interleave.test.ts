import { expect, test } from 'vitest';
import { interleave } from './interleave.ts';

test.each<[number[][], number[]]>([
  [[], []],
  [[[], []], []],
  [
    [[1, 3, 4], [2]],
    [1, 2, 3, 4],
  ],
  [
    [[], [1, 3], [2]],
    [1, 2, 3],
  ],
])('%j', (lists, list) => {
  expect(interleave(lists)).toEqual(list);
});
