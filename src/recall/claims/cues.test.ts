import { expect, test } from 'vitest';
import { tokenise } from '../../indexing/tokenise.ts';
import { readClaimCues, readPromptKind } from './cues.ts';
import { findRelatedRows } from './related-words.ts';

const NOTHING = {
  asksLeave: false,
  reportsTrouble: false,
  ordersWork: false,
  recallsPast: false,
  asksAmount: false,
};

test.each([
  ['May we raise the limit?', { asksLeave: true }],
  ['how can I see the open ports?', {}],
  ['darf ich die Tabelle leeren?', { asksLeave: true }],
  ['the worker crashes again', { reportsTrouble: true, recallsPast: true }],
  ['Add a badge to the readme', { ordersWork: true }],
  ['ログを直してください', { ordersWork: true }],
  ['なぜ45秒でしたか', { recallsPast: true }],
  ['what is the port of the gateway', {}],
  ['how long are the files kept?', { asksAmount: true }],
  ['wie lange bleiben die Dateien?', { asksAmount: true }],
])('%j is told by its small words', (prompt, kind) => {
  expect(readPromptKind(prompt)).toEqual({ ...NOTHING, ...kind });
});

test('claims give causes and rules', () => {
  expect(readClaimCues(['never', 'cach', 'becaus'])).toEqual({ givesCause: true, givesRule: true });
  expect(readClaimCues(['cach', 'token'])).toEqual({ givesCause: false, givesRule: false });
});

test.each([
  ['wipe', 'delet'],
  ['aborted', 'crash'],
  ['gelöschte', 'delet'],
  ['удалили', 'delet'],
  ['删除', 'delet'],
  ['échoué', 'crash'],
])('%s is another word for %s', (word, term) => {
  const rows = tokenise(word).flatMap(findRelatedRows);
  expect(findRelatedRows(term).some((row) => rows.includes(row))).toBe(true);
});

test('a word without related words has no rows', () => {
  expect(findRelatedRows('zebra')).toEqual([]);
  expect(findRelatedRows('')).toEqual([]);
  // Begins like "rid", which is too short to be the beginning of another word.
  expect(findRelatedRows('ridg')).toEqual([]);
});
