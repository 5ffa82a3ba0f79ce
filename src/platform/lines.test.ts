import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { isLineStart, lineNumberAt, linesOf } from './lines.ts';

function fileOf(text: string): string {
  const path = join(tempFolder(), 'file');
  writeFileSync(path, text);
  return path;
}

function read(text: string, from = 0, options = {}) {
  const lines = [];
  for (const { start, end, bytes } of linesOf(fileOf(text), from, options))
    lines.push([start, end, bytes === null ? null : bytes.toString('utf8')]);
  return lines;
}

test.each<[string, string, number, (number | string | null)[][]]>([
  ['an empty file', '', 0, []],
  [
    'whole lines',
    'one\ntwo\n',
    0,
    [
      [0, 4, 'one'],
      [4, 8, 'two'],
    ],
  ],
  [
    'an empty line',
    '\n\nx\n',
    0,
    [
      [0, 1, ''],
      [1, 2, ''],
      [2, 4, 'x'],
    ],
  ],
  ['an incomplete last line', 'one\ntw', 0, [[0, 4, 'one']]],
  [
    'an offset',
    'one\ntwo\nthree\n',
    4,
    [
      [4, 8, 'two'],
      [8, 14, 'three'],
    ],
  ],
  ['an offset beyond the end', 'one\n', 100, []],
  [
    'multi-byte characters',
    'ä€\n😀\n',
    0,
    [
      [0, 6, 'ä€'],
      [6, 11, '😀'],
    ],
  ],
])('reads lines: %s', (_name, text, from, expected) => {
  expect(read(text, from)).toEqual(expected);
  for (const chunkBytes of [1, 2, 3, 7]) expect(read(text, from, { chunkBytes })).toEqual(expected);
});

test('skips a line that is too long, for any chunk size', () => {
  for (const chunkBytes of [1, 3, 8, 100])
    expect(read('one\n0123456789\ntwo\n', 0, { chunkBytes, longestLine: 9 })).toEqual([
      [0, 4, 'one'],
      [4, 15, null],
      [15, 19, 'two'],
    ]);
});

test('counts lines as editors do', () => {
  const path = fileOf('one\ntwo\nthree\n');
  expect([0, 4, 8].map((offset) => lineNumberAt(path, offset))).toEqual([1, 2, 3]);
  expect([0, 1, 4, 5, 14, 15].map((offset) => isLineStart(path, offset))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});
