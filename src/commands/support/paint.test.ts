import { expect, test } from 'vitest';
import { createPaint, toTerminal, wrapPainted } from './paint.ts';

const paint = createPaint(true);
/** The part of a mark between the escape character and the colon. */
const KEY = paint.red('').slice(1).split(':')[0] ?? '';

test('keeps colours, but no control sequences inside them', () => {
  expect(toTerminal(paint.bold(`a${paint.red('\u001b[2Jb')}`))).toBe(
    '\u001b[1ma\u001b[31m␛[2Jb\u001b[39m\u001b[22m',
  );
});

test('text cannot add colours, not even in the form of a mark', () => {
  const form = paint.red('x');
  const forged = form.replaceAll(KEY, 'guessed');
  expect(forged).not.toBe(form);
  for (const text of ['\u001b[31mx', forged]) expect(toTerminal(text)).not.toContain('\u001b');
});

test('without colours the text is unchanged', () => {
  expect(toTerminal(createPaint(false).red('x\ty\n'))).toBe('x\ty\n');
});

test('wraps between words regardless of colours, and keeps a long word whole', () => {
  const text = `  ${paint.bold('name')}  some words and /a/path/that/is/longer/than/a/line`;
  expect(toTerminal(wrapPainted(text, 16, 4)).split('\n')).toEqual([
    '  \u001b[1mname\u001b[22m  some',
    '    words and',
    '    /a/path/that/is/longer/than/a/line',
  ]);
  expect(wrapPainted('short', 16, 4)).toBe('short');
});
