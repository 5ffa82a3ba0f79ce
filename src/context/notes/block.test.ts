import { describe, expect, it, test } from 'vitest';
import type { Framed } from '../../model/framed.ts';
import { findBlock, insertBlock, isBlank, removeBlock } from './block.ts';

const BOM = '\xef\xbb\xbf';
const written = (text: string, lines = ['a', 'b']) => {
  const block = findBlock(text);
  if (block && 'problem' in block) throw new Error(block.problem);
  return insertBlock(text, block, ['<cairn-notes>', ...lines, '</cairn-notes>'].join('\n') as Framed);
};
const cleaned = (text: string) => {
  const block = findBlock(text);
  if (!block || 'problem' in block) throw new Error('no block');
  return removeBlock(block);
};

describe('adding and removing a block', () => {
  test.each([
    ['an empty text', '', '<cairn-notes>\na\nb\n</cairn-notes>\n'],
    ['lines', '# Mine\n', '# Mine\n\n<cairn-notes>\na\nb\n</cairn-notes>\n'],
    ['no final line break', '# Mine', '# Mine\n\n<cairn-notes>\na\nb\n</cairn-notes>'],
    ['blank lines at the end', '# Mine\n\n\n', '# Mine\n\n\n\n<cairn-notes>\na\nb\n</cairn-notes>\n'],
    ['CRLF', '# Mine\r\nx\r\n', '# Mine\r\nx\r\n\r\n<cairn-notes>\r\na\r\nb\r\n</cairn-notes>\r\n'],
    ['CRLF, no final line break', 'x\r\ny', 'x\r\ny\r\n\r\n<cairn-notes>\r\na\r\nb\r\n</cairn-notes>'],
    ['mixed line breaks', 'x\r\ny\n', 'x\r\ny\n\r\n<cairn-notes>\r\na\r\nb\r\n</cairn-notes>\r\n'],
    ['a BOM', `${BOM}x\n`, `${BOM}x\n\n<cairn-notes>\na\nb\n</cairn-notes>\n`],
    ['only a BOM', BOM, `${BOM}<cairn-notes>\na\nb\n</cairn-notes>\n`],
    ['bytes that are not UTF-8', '\xff\xfe x\n', '\xff\xfe x\n\n<cairn-notes>\na\nb\n</cairn-notes>\n'],
  ])('restores the text: %s', (_, text, expected) => {
    expect(written(text)).toBe(expected);
    expect(written(expected)).toBe(expected);
    expect(written(written(text, ['c']))).toBe(expected);
    expect(cleaned(expected)).toBe(text);
  });

  test.each([
    ['above', '<cairn-notes>\nx\n</cairn-notes>\n\n# Mine\n', '\n# Mine\n'],
    ['between', '# Mine\n\n<cairn-notes>\nx\n</cairn-notes>\n\nMore\n', '# Mine\n\nMore\n'],
    ['between, close below', '# Mine\n\n<cairn-notes>\nx\n</cairn-notes>\nMore\n', '# Mine\n\nMore\n'],
    ['between, close above', '# Mine\n<cairn-notes>\nx\n</cairn-notes>\n\nMore\n', '# Mine\n\nMore\n'],
    ['close above, at the end', '# Mine\n<cairn-notes>\nx\n</cairn-notes>\n', '# Mine\n'],
    ['indented', '- x\n\n  <cairn-notes>\nx\n  </cairn-notes>  \n', '- x\n\n    \n'],
    ['with other line breaks inside', 'x\n\n<cairn-notes>\r\ny\r\n</cairn-notes>\n', 'x\n'],
  ])('keeps the place of a block moved by hand: %s', (_, text, without) => {
    const [before, after] = text.split(/<cairn-notes>[^<]*<\/cairn-notes>/);
    expect(written(text)).toBe(`${before}<cairn-notes>\na\nb\n</cairn-notes>${after}`);
    expect(cleaned(text)).toBe(without);
  });

  it('writes UTF-8', () => {
    expect(Buffer.from(written('', ['ü · 日']), 'latin1').toString()).toBe(
      '<cairn-notes>\nü · 日\n</cairn-notes>\n',
    );
  });
});

test.each([
  ['no end', '<cairn-notes>\nx\n', '</cairn-notes> is missing'],
  ['no start', 'x\n</cairn-notes>\n', '<cairn-notes> is missing'],
  ['end before start', '</cairn-notes>\nx\n<cairn-notes>\n', '</cairn-notes> comes before <cairn-notes>'],
  ['two blocks', '<cairn-notes>\n</cairn-notes>\n'.repeat(2), 'it has more than one block'],
  ['two starts', '<cairn-notes>\n<cairn-notes>\n</cairn-notes>\n', 'it has more than one block'],
  ['two ends', '<cairn-notes>\n</cairn-notes>\n</cairn-notes>\n', 'it has more than one block'],
  ['more in its line', '<cairn-notes> x\n</cairn-notes>\n', 'a line has text after a Cairn tag'],
  ['all in one line', '<cairn-notes>x</cairn-notes>\n', 'a line has text after a Cairn tag'],
  ['a torn tag', '<cairn-notes\nx\n</cairn-notes>\n', 'a line has text after a Cairn tag'],
  ['another case', '<Cairn-Notes>\nx\n</cairn-notes>\n', 'a line has text after a Cairn tag'],
  ['in code', '```html\n<cairn-notes>\nx\n</cairn-notes>\n```\n', 'its tags are in a block of code'],
])('reports damaged tags: %s', (_, text, problem) => {
  expect(findBlock(text)).toEqual({ problem });
  expect(findBlock(text.replaceAll('\n', '\r\n'))).toEqual({ problem });
});

test.each(['The `<cairn-notes>` tag is Cairn’s.\n', '> <cairn-notes>\n', '<cairn-notesbook>\n'])(
  'ignores text that is not a Cairn tag: %j',
  (text) => expect(findBlock(text)).toBeNull(),
);

it('finds a block after a closed code fence', () => {
  expect(findBlock('```\nx\n```\n<cairn-notes>\nx\n</cairn-notes>')).toEqual({
    before: '```\nx\n```\n',
    inside: '\nx\n',
    after: '',
  });
});

test.each([
  ['', true],
  [' \r\n\t', true],
  [`${BOM}\n`, true],
  ['x', false],
])('isBlank %j', (text, expected) => expect(isBlank(text)).toBe(expected));
