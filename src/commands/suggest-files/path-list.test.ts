import { expect, test } from 'vitest';
import { decodeBytes, encodeBytes, isInSorted, joinPaths, listFolders } from './path-list.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('finds every path of a list sorted by git, and no other', () => {
  const paths = ['a', 'a.ts', 'a/b.ts', 'é.ts', '日本/x', '！.ts', '😀.ts', 'z'].sort(byBytes);
  const list = joinPaths(paths.map(encodeBytes));
  const others = ['', 'b', 'a/b', 'a/b.tsx', '日本', '\ud83d', '\0', 'zz'];
  expect(paths.filter((path) => !isInSorted(list, encodeBytes(path)))).toEqual([]);
  expect(others.filter((path) => isInSorted(list, encodeBytes(path)))).toEqual([]);
  expect(isInSorted(joinPaths([]), 'a')).toBe(false);
});

test.each(['', 'plain', 'é', '日本/😀', '\0'])('%j survives encoding and decoding', (text) => {
  expect(decodeBytes(encodeBytes(text))).toBe(text);
});

test('lists each folder once', () => {
  expect([...listFolders(['a/b/c', 'a/b/d', 'a/e', 'f'])]).toEqual(['a/b/', 'a/']);
});
