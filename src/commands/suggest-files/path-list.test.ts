import { expect, test } from 'vitest';
import { asBytes, asText, foldersOf, isInSorted, listOf } from './path-list.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('every path of a list that git has sorted is found, and no other', () => {
  const paths = ['a', 'a.ts', 'a/b.ts', 'é.ts', '日本/x', '！.ts', '😀.ts', 'z'].sort(byBytes);
  const list = listOf(paths.map(asBytes));
  const others = ['', 'b', 'a/b', 'a/b.tsx', '日本', '\ud83d', '\0', 'zz'];
  expect(paths.filter((path) => !isInSorted(list, asBytes(path)))).toEqual([]);
  expect(others.filter((path) => isInSorted(list, asBytes(path)))).toEqual([]);
  expect(isInSorted(listOf([]), 'a')).toBe(false);
});

test.each(['', 'plain', 'é', '日本/😀', '\0'])('%j as bytes and back', (text) => {
  expect(asText(asBytes(text))).toBe(text);
});

test('each folder once', () => {
  expect([...foldersOf(['a/b/c', 'a/b/d', 'a/e', 'f'])]).toEqual(['a/b/', 'a/']);
});
