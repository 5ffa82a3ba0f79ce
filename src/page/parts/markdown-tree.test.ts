import { expect, test } from 'vitest';
import { parseInline, parseMarkdown, splitCode } from './markdown-tree.ts';

test.each([
  { text: 'a `b` c', parts: ['a ', { kind: 'code', text: 'b' }, ' c'] },
  { text: '**a** and *b*', parts: [{ kind: 'strong', text: 'a' }, ' and ', { kind: 'em', text: 'b' }] },
  { text: '2 * 3 * 4', parts: ['2 * 3 * 4'] },
  { text: 'snake_case_name', parts: ['snake_case_name'] },
  { text: '`**not bold**`', parts: [{ kind: 'code', text: '**not bold**' }] },
  { text: 'see https://a.example/b.', parts: ['see ', { kind: 'link', text: 'https://a.example/b.' }] },
  { text: '[x](javascript:alert(1))', parts: ['[x](javascript:alert(1))'] },
  { text: 'http://a.example', parts: ['http://a.example'] },
  { text: '<script>alert(1)</script>', parts: ['<script>alert(1)</script>'] },
])('inline: $text', ({ text, parts }) => {
  expect(parseInline(text)).toEqual(parts);
});

test.each([
  { text: 'Call `npm ci` first', parts: ['Call ', '<npm ci>', ' first'] },
  { text: '``a `b` c``', parts: ['<a `b` c>'] },
  { text: '**bold** and https://a.example', parts: ['**bold** and https://a.example'] },
  { text: 'one ` alone', parts: ['one ` alone'] },
  { text: '', parts: [] },
])('code in a line: $text', ({ text, parts }) => {
  const split = splitCode(text);
  expect(split.map(({ part, isCode }) => (isCode ? `<${part}>` : part))).toEqual(parts);
  expect(split.filter(({ part, at }) => text.slice(at, at + part.length) !== part)).toEqual([]);
});

test('parses blocks', () => {
  const text = [
    '# Title',
    'one',
    'two',
    '',
    '- a',
    '- b',
    '1. c',
    '```ts',
    '<b>',
    '',
    '# no',
    '```',
    'end',
  ].join('\n');
  expect(parseMarkdown(text)).toEqual([
    { kind: 'heading', text: ['Title'] },
    { kind: 'paragraph', lines: [['one'], ['two']] },
    { kind: 'list', isOrdered: false, items: [['a'], ['b']] },
    { kind: 'list', isOrdered: true, items: [['c']] },
    { kind: 'code', text: '<b>\n\n# no' },
    { kind: 'paragraph', lines: [['end']] },
  ]);
});

test('a fence that is never closed ends at the end of the text', () => {
  expect(parseMarkdown('```\na\nb')).toEqual([{ kind: 'code', text: 'a\nb' }]);
});
