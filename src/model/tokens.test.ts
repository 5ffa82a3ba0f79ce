import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countAny, countPlain, countTokens } from './tokens.ts';

test.each([
  ['', 0],
  ['The cache is cleared', 4],
  ['createFreshness', 4],
  ['#12 and 3456', 6],
  ['one\n\ntwo', 3],
  ['日本語', 3],
  ['Überraschung', 3],
])('%j takes %i', (text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});

test('plain text has the same count with both algorithms', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aZbQ09 \n\t-#./(x\u007e…→✗“—') });
  fc.assert(
    fc.property(plain, (text) => countPlain(text) === countAny(text)),
    { numRuns: 5_000 },
  );
});
