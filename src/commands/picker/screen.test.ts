import { expect, test } from 'vitest';
import type { IndexEntry } from '../../context/present-entry.ts';
import { createPaint } from '../support/paint.ts';
import { drawPicker } from './screen.ts';

const paint = createPaint(false);
const size = { columns: 30, rows: 8 };

function entry(number: number, title: string): IndexEntry {
  return {
    ...{ id: `#${number}`, type: 'gotcha', at: new Date(2026, 10, 3).getTime(), title, tokens: 9 },
    ...{ project: null, marks: [], reasons: [] },
  };
}

test('the chosen one is always in sight, and no line is wider than the terminal', () => {
  const entries = Array.from({ length: 9 }, (_, index) => entry(index + 1, '日本語のとても長い題名です'));
  const state = { typed: 'x'.repeat(50), chosen: 8, showsDetails: false };
  const wide = { ...size, columns: 50 };
  expect(drawPicker(state, { entries, details: '', where: 'orchard' }, wide, paint)).toEqual({
    lines: [
      `> ${'x'.repeat(46)}`,
      'orchard',
      '      #5  2026-11-03  gotcha       日本語のとても…',
      '      #6  2026-11-03  gotcha       日本語のとても…',
      '      #7  2026-11-03  gotcha       日本語のとても…',
      '      #8  2026-11-03  gotcha       日本語のとても…',
      '▸     #9  2026-11-03  gotcha       日本語のとても…',
      '↑↓ choose · Enter open · Tab details · Esc leave',
    ],
    cursor: 48,
  });
});

test('details take the lower half, wrapped', () => {
  const state = { typed: '', chosen: 0, showsDetails: true };
  const details = 'one two three four five six seven eight\nnine';
  const { lines } = drawPicker(state, { entries: [entry(1, 't')], details, where: '' }, size, paint);
  expect(lines.slice(2)).toEqual([
    '▸     #1  2026-11-03  gotcha …',
    '',
    '',
    '─'.repeat(30),
    'one two three four five six',
    '↑↓ choose · Enter open · Tab …',
  ]);
});

test('nothing found is said', () => {
  const { lines } = drawPicker(
    { typed: 'zzz', chosen: 0, showsDetails: true },
    { entries: [], details: '', where: '' },
    size,
    paint,
  );
  expect(lines[2]).toBe('  Nothing found.');
  expect(lines).toHaveLength(8);
});
