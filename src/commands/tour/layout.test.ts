import { expect, test } from 'vitest';
import { wrap } from './layout.ts';

test.each([
  { name: 'short text', text: 'one line', indent: '  ', lines: ['  one line'] },
  { name: 'paragraphs', text: 'one\n\ntwo', indent: '  ', lines: ['  one', '', '  two'] },
  {
    name: 'a long line',
    text: `${'word '.repeat(20)}end`,
    indent: '    ',
    lines: [`    ${'word '.repeat(18)}word`, '    word end'],
  },
  { name: 'a word that fits nowhere', text: 'x'.repeat(120), indent: ' ', lines: [` ${'x'.repeat(120)}`] },
])('$name', ({ text, indent, lines }) => {
  expect(wrap(text, indent).split('\n')).toEqual(lines);
});
