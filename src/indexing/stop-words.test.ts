import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { STOP_WORDS, STOPS_AS_INDEXED } from './stop-words.ts';

test('the stop words that the index has in another form are those that stemming changes', () => {
  const changed = [...STOP_WORDS].map(stem).filter((term) => !STOP_WORDS.has(term));
  expect([...STOPS_AS_INDEXED].sort()).toEqual([...new Set(changed)].sort());
});
