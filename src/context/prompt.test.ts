import { expect, test } from 'vitest';
import { findFileNames, isWorthLookingUp } from './prompt.ts';

test.each([
  ['why do we retry three times?', true],
  ['fix the flaky test', true],
  ['キャッシュが消えない理由を調べて', true],
  ['go on', false],
  ['yes, please', false],
  ['/review the payment client again', false],
  ['  /init with everything there is', false],
  ['............................', false],
  ['', false],
])('%j is worth looking up: %s', (prompt, isWorth) => {
  expect(isWorthLookingUp(prompt)).toBe(isWorth);
});

test.each([
  ['look at src/cache.ts and test/cache.test.ts', ['src/cache.ts', 'test/cache.test.ts']],
  ['@src/a.ts is wrong', ['src/a.ts']],
  ['README.md, please; then package.json.', ['README.md', 'package.json']],
  ['version 1.2.3 of it, e.g. this', []],
  ['nothing here', []],
])('%j names %j', (prompt, files) => {
  expect(findFileNames(prompt)).toEqual(files);
});
