import { expect, test } from 'vitest';
import { compareLines, readGivenLines } from './injection-lines.ts';

test('each line is traced to the memory it comes from', () => {
  const text = [
    '<cairn-context>',
    'Left open:',
    '- Rotate keys (#24, 2026-11-16)',
    '- Check the #7 bolt',
    'Last session:',
    '#24 2026-11-16 18:56: Deploy → Deployed.',
    '#23 preference: The key rotates',
    '- It is in the vault',
    '#99 is not shown',
    '- so this belongs to nothing',
  ];
  const lines = readGivenLines(text.join('\n'), [23, 24, 7]);
  expect(
    lines.map(({ memoryId, isFirst }) => (memoryId === null ? null : isFirst ? memoryId : -memoryId)),
  ).toEqual([...[null, null, 24, null, null, -24, 23, -23, null, null]]);
  expect(lines.filter(({ isFrame }) => isFrame).map(({ number }) => number)).toEqual([1, 2, 5, 9]);
});

test.each([
  { before: [], after: [], changes: '' },
  { before: [], after: ['a'], changes: '+a' },
  { before: ['a'], after: [], changes: '-a' },
  { before: ['a', 'b', 'c'], after: ['a', 'x', 'c', 'd'], changes: ' a-b+x c+d' },
  { before: ['a', 'a', 'b'], after: ['a', 'b', 'a'], changes: ' a-a b+a' },
])('the difference of $before and $after', ({ before, after, changes }) => {
  const signs = { same: ' ', added: '+', removed: '-' };
  expect(
    compareLines(before, after)
      .map(({ kind, text }) => signs[kind] + text)
      .join(''),
  ).toBe(changes);
});
