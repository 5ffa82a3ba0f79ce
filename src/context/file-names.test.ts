import { expect, test } from 'vitest';
import { findFileNames } from './file-names.ts';

test.each([
  ['look at src/cache.ts and test/cache.test.ts', ['src/cache.ts', 'test/cache.test.ts']],
  ['@src/a.ts is wrong', ['src/a.ts']],
  ['README.md, please; then package.json.', ['README.md', 'package.json']],
  ['version 1.2.3 of it, e.g. this', []],
  ['nothing here', []],
])('finds in %j the files %j', (prompt, files) => {
  expect(findFileNames(prompt)).toEqual(files);
});
