import { expect, test } from 'vitest';
import { headingFrom, headingFromRequest } from './title.ts';

test.each([
  ['no “I”', 'I added a counter to `Cache`.', 'Added a counter to `Cache`'],
  [
    'the choice itself',
    'I went with a token bucket rather than a fixed window.',
    'Token bucket rather than a fixed window',
  ],
  ['no full stop', 'The leak is not in src/listeners.', 'The leak is not in src/listeners'],
  ['a name keeps its letters', 'nights() rounds now.', 'nights() rounds now'],
  ['a command too', 'npm test runs in UTC.', 'npm test runs in UTC'],
  [
    'no reason',
    'The endpoint answers 429 with a Retry-After header to every client, because the proxy retries at once otherwise.',
    'The endpoint answers 429 with a Retry-After header to every client',
  ],
  [
    'never cut inside brackets',
    'All the callers of formatPrice(amount, currency) in the shop call formatMoney({ cents, currency, and something very long }) now',
    'All the callers of formatPrice(amount, currency) in the shop call…',
  ],
  [
    'no marks',
    'The key [redacted:api-key] was in the log of the shop.',
    'The key was in the log of the shop',
  ],
])('%s', (_name, sentence, expected) => {
  expect(headingFrom(sentence)).toBe(expected);
});

test('a request without its “please fix”', () => {
  expect(headingFromRequest('slugs come out as cr-me, please fix and run the script')).toBe(
    'Slugs come out as cr-me',
  );
});
