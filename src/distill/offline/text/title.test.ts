import { expect, test } from 'vitest';
import { headingFrom, headingFromRequest, headingOfStatement } from './title.ts';

test.each([
  ['no “I”', 'I added a counter to `Cache`.', 'Added a counter to `Cache`'],
  [
    'the choice itself',
    'I went with a token bucket rather than a fixed window.',
    'Token bucket rather than a fixed window',
  ],
  ['no full stop', 'The leak is not in src/listeners.', 'The leak is not in src/listeners'],
  ['no announcement', 'The reason for the lock: a plain index blocks writes.', 'A plain index blocks writes'],
  ['no word for the deed', 'Switched: Load holds a mutex now.', 'Load holds a mutex now'],
  ['no cheer', "I've successfully implemented the flag!", 'Implemented the flag'],
  ['no undoing before it', 'I undid my edit, set the method to DELETE.', 'Set the method to DELETE'],
  ['no “ich habe”', 'Ich habe LIMIT auf 20 MB gesetzt.', 'LIMIT auf 20 MB gesetzt'],
  ['a name keeps its letters', 'nights() rounds now.', 'nights() rounds now'],
  ['a command too', 'npm test runs in UTC.', 'npm test runs in UTC'],
  [
    'no reason',
    'The endpoint answers 429 with a Retry-After header to every client, because the proxy in front of it retries at once otherwise and that would be a loop.',
    'The endpoint answers 429 with a Retry-After header to every client',
  ],
  [
    'never cut inside brackets',
    'All the callers of formatPrice(amount, currency) in the shop call formatMoney({ cents, currency, and something very long that goes on and on }) now',
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

test.each([
  ['a name in code keeps its letters', 'dist is ignored by git.', ['dist'], 'dist is ignored by git'],
  ['a word does not', 'dist is ignored by git.', [], 'Dist is ignored by git'],
])('%s', (_name, text, code, expected) => {
  expect(headingOfStatement({ text, code })).toBe(expected);
});

test('a request without its “please fix”', () => {
  expect(headingFromRequest('slugs come out as cr-me, please fix and run the script')).toBe(
    'Slugs come out as cr-me',
  );
});
