import { describe, expect, test } from 'vitest';
import { quoteLines, quoteStored, toOneLine } from './stored-lines.ts';

test('any line break becomes a space', () => {
  expect(toOneLine(' a\r\nb\u2028c\u2029d\u0085e\vf\fg\t h ')).toBe('a b c d e f g h');
});

describe("quotes a line that looks like one of Cairn's", () => {
  test.each([
    ...[
      '#12 decision: x',
      ' #12',
      '# 12',
      '- #12 x',
      '12:30 D #4 x (3)',
      '2026-11-10',
      'p34 prompt',
      's5 session',
    ],
    ...[
      '[ ] 3 do it',
      '[x] 3 done',
      '! replaced by #3',
      '> #12',
      '## Plan',
      'Tasks:',
      'Worth knowing:',
      'Left open: x',
    ],
    ...[
      'Index: D decision',
      'Handed off (1, today):',
      'More: the tools',
      'Plan, version 9:',
      'Cairn: 9 % are left',
    ],
  ])('%s', (line) => expect(quoteStored(line)).toBe(`> ${line.trim()}`));
});

test.each([
  'The cache key lacks the locale (see #12)',
  'It took 3 tries, p50 fell to 12 ms',
  'plans change',
  'a: b',
])('does not quote: %s', (line) => {
  expect(quoteStored(line)).toBe(line);
  expect(quoteLines(line)).toBe(line);
});

test("quotes several lines as a whole, or under a heading only those that look like Cairn's", () => {
  expect(quoteStored('one\n\n#12 two\u2028three')).toBe('> one\n>\n> #12 two\n> three');
  expect(quoteLines('one\n\n  ## two\n- three\r2026-11-10\n---')).toBe(
    'one\n\n> ## two\n- three\n> 2026-11-10\n> ---',
  );
});
