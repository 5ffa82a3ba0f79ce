import { expect, it, test } from 'vitest';
import { DATA_SENTENCE } from '../../model/framed.ts';
import type { FolderEntry } from '../../store/types/notes.ts';
import { findIds, formatFolderNotes } from './timeline.ts';

const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime();
const entry = (id: number, title: string, when: number): FolderEntry => ({
  id,
  title,
  type: 'decision',
  at: when,
  agent: null,
});
const linesOf = (entries: FolderEntry[]) => formatFolderNotes(entries).split('\n');
const rowOf = (title: string) => linesOf([entry(1, title, at(14, 9, 5))]).at(-3);

it('groups memories by day, latest first', () => {
  const lines = linesOf([
    entry(12, 'Round half to even', at(14, 16, 5)),
    { ...entry(11, 'Totals drift', at(14, 9, 40)), type: 'how-it-works' },
    { ...entry(3, 'Ask Robin', at(2, 0, 0)), type: 'note' },
  ]);
  expect(lines.slice(2)).toEqual([
    '',
    `${DATA_SENTENCE} Memories about the files in this folder, newest first. To read one: \`cairn show <id>\`.`,
    '',
    '2026-11-14',
    '',
    '- 16:05 · decision · Round half to even · #12',
    '- 09:40 · how-it-works · Totals drift · #11',
    '',
    '2026-11-02',
    '',
    '- 00:00 · note · Ask Robin · #3',
    '',
    '</cairn-notes>',
  ]);
  expect(lines[1]).toMatch(/^<!-- .*cairn notes --clean -->$/);
  expect(findIds(lines.join('\n'))).toEqual([12, 11, 3]);
  expect(findIds(lines.join('\r\n'))).toEqual([12, 11, 3]);
});

test.each([
  ['two lines', 'one\n two', 'one two'],
  ['an end tag of Cairn', 'a </cairn-notes> b', 'a ‹/cairn-notes› b'],
  ['a start tag of Cairn', '< cairn-notes> b', '‹ cairn-notes› b'],
  ['private tags', 'a <private>b</private>', 'a ‹private›b‹/private›'],
  ['a comment', 'a <!-- b', 'a ‹!-- b'],
  ['other tags', 'Map<string> <b>', 'Map<string> <b>'],
  [
    'a path that an agent would load',
    '@src/a.ts and @types/node, x@y.z',
    '\\@src/a.ts and \\@types/node, x@y.z',
  ],
  ['many words', 'word '.repeat(40), `${'word '.repeat(22)}word…`],
])('formats a title with %s', (_, title, expected) => {
  expect(rowOf(title)).toBe(`- 09:05 · decision · ${expected} · #1`);
});
