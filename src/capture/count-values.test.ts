import { expect, test } from 'vitest';
import { hasTooManyValues } from './count-values.ts';

const limits = { fineBytes: 10, mostValues: 4 };

test.each([
  ['five empty objects', '[{},{},{},{},{}]', true],
  ['nested lists', '[[[[[]]]]]     ', true],
  ['exactly the limit', '{"a":[1,2,3]}', false],
  ['commas in a text', '["a,b,c,d,e,f,g"]', false],
  ['quotes in a text', '["a\\",[,[,{\\\\\\",,,,"]', false],
  ['a text that ends with a backslash', '["a\\\\",1,2,3,4]', true],
  ['a text without an end', '["a,,,,,,,,,,', false],
  ['a short text', '[,,,,,,,,', false],
])('hasTooManyValues: %s', (_name, json, expected) => {
  expect(hasTooManyValues(Buffer.from(json), limits)).toBe(expected);
});
