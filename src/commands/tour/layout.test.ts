import { expect, test } from 'vitest';
import { wrap } from './layout.ts';

test.each([
  { name: 'short text', given: 'one line', indent: '  ', lines: ['  one line'] },
  { name: 'paragraphs', given: 'one\n\ntwo', indent: '  ', lines: ['  one', '', '  two'] },
  {
    name: 'a long line',
    given: `${'word '.repeat(20)}end`,
    indent: '    ',
    lines: [`    ${'word '.repeat(18)}word`, '    word end'],
  },
  { name: 'a word that fits nowhere', given: 'x'.repeat(120), indent: ' ', lines: [` ${'x'.repeat(120)}`] },
])('$name', ({ given, indent, lines }) => {
  expect(wrap(given, indent).split('\n')).toEqual(lines);
});
