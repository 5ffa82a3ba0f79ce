import { expect, test } from 'vitest';
import { createMarker } from './marker.ts';
import { createPattern } from './pattern.ts';
import { anyOf, listSpaced, listUnspaced, type Phrases } from './phrases.ts';

const phrases: Phrases = {
  en: ['really|(are|r) you sure', 'certain'],
  de: 'sicher|real\\p{L}*',
  es: 'seguro|certain',
  zh: '确认|真的',
  ja: '本当',
};

test('phrases are listed once, those of languages without spaces by themselves', () => {
  expect(listSpaced(phrases)).toEqual([
    'really',
    '(are|r) you sure',
    'certain',
    'sicher',
    'real\\p{L}*',
    'seguro',
  ]);
  expect(listUnspaced(phrases)).toEqual(['确认', '真的', '本当']);
  expect(anyOf({ en: 'yes', de: 'ja', ko: '네', fr: 'yes' })).toBe('yes|ja|네');
});

test.each([
  ['a word', 'Really?', true],
  ['a part of a word', 'It is uncertain.', false],
  ['a phrase', 'are you sure', true],
  ['the beginning of a word', 'realer', true],
  ['Chinese inside a text', '你真的看过吗', true],
  ['its traditional characters', '請再確認', true],
  ['another text', 'It works.', false],
])('markers and patterns find %s alike', (_what, text, isFound) => {
  expect(createMarker(phrases).test(text)).toBe(isFound);
  expect(createPattern(phrases).test(text)).toBe(isFound);
});
