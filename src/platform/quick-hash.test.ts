import { expect, test } from 'vitest';
import { quickHash } from './quick-hash.ts';

test.each([
  ['an empty text', ''],
  ['a letter', 'a'],
  ['non-ASCII text', 'Ünïcödé 日本語 🌱'],
  ['half a surrogate pair', '\ud83c'],
])('the hash of %s is 16 hexadecimal digits and stable', (_, text) => {
  expect(quickHash(text)).toMatch(/^[0-9a-f]{16}$/);
  expect(quickHash(text)).toBe(quickHash(`${text}x`.slice(0, -1)));
});

test('similar texts differ in both halves of the hash', () => {
  const texts = Array.from({ length: 200_000 }, (_, number) => `{"kind":"prompt","text":"do ${number}"}`);
  const hashes = texts.map(quickHash);
  expect(new Set(hashes).size).toBe(texts.length);
  // Among 200,000 random hashes, about five pairs share 32 bits.
  for (const half of [hashes.map((hash) => hash.slice(0, 8)), hashes.map((hash) => hash.slice(8))])
    expect(new Set(half).size).toBeGreaterThan(texts.length - 30);
});

test('the hash depends on the order and number of characters', () => {
  const texts = ['ab', 'ba', 'aab', 'aba', 'baa', 'a\0', '\0a', '\0', '\0\0', ''];
  expect(new Set(texts.map(quickHash)).size).toBe(texts.length);
});
