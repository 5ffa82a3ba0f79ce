import { expect, test } from 'vitest';
import { quickHash } from './quick-hash.ts';

test.each([
  ['nothing', ''],
  ['a letter', 'a'],
  ['letters beyond ASCII', 'Ünïcödé 日本語 🌱'],
  ['half a pair', '\ud83c'],
])('%s is 16 digits, always the same', (_, text) => {
  expect(quickHash(text)).toMatch(/^[0-9a-f]{16}$/);
  expect(quickHash(text)).toBe(quickHash(`${text}x`.slice(0, -1)));
});

test('texts that differ in little differ in both halves', () => {
  const texts = Array.from({ length: 200_000 }, (_, number) => `{"kind":"prompt","text":"do ${number}"}`);
  const hashes = texts.map(quickHash);
  expect(new Set(hashes).size).toBe(texts.length);
  // By chance about five pairs of 200,000 share 32 bits.
  for (const half of [hashes.map((hash) => hash.slice(0, 8)), hashes.map((hash) => hash.slice(8))])
    expect(new Set(half).size).toBeGreaterThan(texts.length - 30);
});

test('the order of letters counts, and how many there are', () => {
  const texts = ['ab', 'ba', 'aab', 'aba', 'baa', 'a\0', '\0a', '\0', '\0\0', ''];
  expect(new Set(texts.map(quickHash)).size).toBe(texts.length);
});
