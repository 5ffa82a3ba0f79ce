import { expect, test } from 'vitest';
import { isTouchedSince } from './untouched.ts';

test.each([
  ['TokenStore still uses the old API', true],
  ['CUSTEXT is untouched, CUSTREC is 240 bytes', true],
  ['`TokenStore.swift` wurde noch nicht umgestellt', true],
  ['TokenStore はまだ古いままです', true],
  // Says nothing about how far the work has come, or says it of another file.
  ['TokenStore refreshes a token 30 s before it expires', false],
  ['MyTokenStore is untouched', false],
  ['TokenStore is done, the cache is untouched', false],
])('%s: outdated %s', (sentence, isOutdated) => {
  expect(isTouchedSince(sentence, ['Sources/App/TokenStore.swift', 'copy/CUSTEXT.cpy'])).toBe(isOutdated);
});
