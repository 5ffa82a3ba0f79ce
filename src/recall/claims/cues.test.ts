import { expect, test } from 'vitest';
import { readClaimCues, readPromptKind } from './cues.ts';
import { findRelatedTerms } from './related-words.ts';

const NOTHING = { asksLeave: false, reportsTrouble: false, ordersWork: false, recallsPast: false };

test.each([
  ['May we raise the limit?', { asksLeave: true }],
  ['how can I see the open ports?', {}],
  ['darf ich die Tabelle leeren?', { asksLeave: true }],
  ['the worker crashes again', { reportsTrouble: true, recallsPast: true }],
  ['Add a badge to the readme', { ordersWork: true }],
  ['ログを直してください', { ordersWork: true }],
  ['なぜ45秒でしたか', { recallsPast: true }],
  ['what is the port of the gateway', {}],
])('%j is told by its small words', (prompt, kind) => {
  expect(readPromptKind(prompt)).toEqual({ ...NOTHING, ...kind });
});

test('claims give causes and rules', () => {
  expect(readClaimCues(['never', 'cach', 'becaus'])).toEqual({ givesCause: true, givesRule: true });
  expect(readClaimCues(['cach', 'token'])).toEqual({ givesCause: false, givesRule: false });
});

test('words for the same thing', () => {
  expect(findRelatedTerms(['licenc'])).toEqual(['licens', 'legal']);
  expect(findRelatedTerms(['zebra', 'licenc', 'legal'])).toEqual(['licens']);
  expect(findRelatedTerms(['zebra'])).toEqual([]);
});
