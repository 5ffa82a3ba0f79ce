import { expect, test } from 'vitest';
import type { PresentedHit } from '../../context/present-hits.ts';
import { createPaint } from '../support/paint.ts';
import { drawPicker } from './screen.ts';

const paint = createPaint(false);
const size = { columns: 30, rows: 8 };

const base = { typed: '', chosen: 0, showsDetails: false, isEverywhere: false, asksToForget: false };

function hit(number: number, title: string): Pick<PresentedHit, 'entry' | 'isWeaker'> {
  const entry = {
    ...{ id: `#${number}`, type: 'gotcha', at: new Date(2026, 10, 3).getTime(), title, tokens: 9 },
    ...{ project: null, marks: [], reasons: [] },
  };
  return { entry, isWeaker: false };
}

test('keeps the selected hit visible and every line within the terminal', () => {
  const hits = Array.from({ length: 9 }, (_, index) => hit(index + 1, '日本語のとても長い題名です'));
  const state = { ...base, typed: 'x'.repeat(50), chosen: 8 };
  const wide = { ...size, columns: 50 };
  expect(drawPicker(state, { hits, details: '', where: 'orchard' }, wide, paint)).toEqual({
    lines: [
      `> ${'x'.repeat(46)}`,
      'orchard',
      '      #6  2026-11-03  gotcha       日本語のとても…',
      '      #7  2026-11-03  gotcha       日本語のとても…',
      '      #8  2026-11-03  gotcha       日本語のとても…',
      '▸     #9  2026-11-03  gotcha       日本語のとても…',
      'Enter open · Tab details · ^A scope · ^Y copy · ^T',
      'pin · ^X forget · Esc leave',
    ],
    cursor: 48,
  });
});

test('shows wrapped details in the lower half', () => {
  const state = { ...base, showsDetails: true };
  const details = 'one two three four five six seven eight\nnine';
  const { lines } = drawPicker(
    state,
    { hits: [hit(1, 't')], details, where: '' },
    { ...size, rows: 10 },
    paint,
  );
  expect(lines.slice(2)).toEqual([
    '▸     #1  2026-11-03  gotcha …',
    '',
    '',
    '─'.repeat(30),
    'one two three four five six',
    'Enter open · Tab details · ^A',
    'scope · ^Y copy · ^T pin · ^X',
    'forget · Esc leave',
  ]);
});

test('says that nothing was found', () => {
  const { lines } = drawPicker(
    { ...base, typed: 'zzz', showsDetails: true },
    { hits: [], details: '', where: '' },
    size,
    paint,
  );
  expect(lines[2]).toBe('  Nothing found.');
  expect(lines).toHaveLength(8);
});

test('shows the matching sentence below the list, with the words highlighted', () => {
  const found = hit(1, 'Wet\u001b apples');
  const claim = { position: 2, text: 'They stall the press', matches: [[5, 10] as [number, number]] };
  const hits = [{ ...found, entry: { ...found.entry, matches: [[0, 3] as [number, number]], claim } }];
  const painted = { ...paint, cyan: (text: string) => `<${text}>` };
  const { lines } = drawPicker(base, { hits, details: '', where: '' }, { columns: 90, rows: 6 }, painted);
  expect(lines.slice(2, 5)).toEqual([
    '▸     #1  2026-11-03  gotcha       <Wet>  apples',
    '',
    '  They <stall> the press',
  ]);
});

test('asks before forgetting', () => {
  const content = { hits: [hit(7, 't')], details: '', where: 'orchard' };
  const { lines } = drawPicker({ ...base, asksToForget: true }, content, { columns: 60, rows: 5 }, paint);
  expect([lines[1], lines.at(-1)]).toEqual([
    'orchard · Forget #7? [y/N]',
    'y forget · any other key keeps it',
  ]);
});
