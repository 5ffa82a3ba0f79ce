import { expect, test } from 'vitest';
import { splitAt } from './highlight.tsx';

test.each<{ name: string; places: [number, number][]; parts: string[] }>([
  { name: 'nothing found', places: [], parts: ['retry the loop'] },
  {
    name: 'two words',
    places: [
      [10, 14],
      [0, 5],
    ],
    parts: ['<retry>', ' the ', '<loop>'],
  },
  {
    name: 'overlap',
    places: [
      [0, 5],
      [3, 8],
    ],
    parts: ['<retry>', ' the loop'],
  },
  { name: 'outside', places: [[90, 95]], parts: ['retry the loop'] },
])('$name', ({ places, parts }) => {
  const split = splitAt('retry the loop', places);
  expect(split.map(({ part, isMatch }) => (isMatch ? `<${part}>` : part))).toEqual(parts);
});
