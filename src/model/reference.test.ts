import { expect, test } from 'vitest';
import { formatReference, parseReference } from './reference.ts';

test.each([
  { text: '12', reads: { what: 'memory', id: 12 }, says: '#12' },
  { text: '#12', reads: { what: 'memory', id: 12 }, says: '#12' },
  { text: 'p34', reads: { what: 'prompt', id: 34 }, says: 'p34' },
  { text: ' S5 ', reads: { what: 'session', id: 5 }, says: 's5' },
])('$text', ({ text, reads, says }) => {
  const reference = parseReference(text);
  expect(reference).toEqual(reads);
  expect(reference && formatReference(reference)).toBe(says);
});

test.each(['', 'x', 'p', '12a', '#p3', '-1', '1.5', '9'.repeat(20)])('%j is not a reference', (text) =>
  expect(parseReference(text)).toBeNull(),
);
