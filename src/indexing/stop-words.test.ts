import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { INDEXED_STOP_WORDS, STOP_WORDS } from './stop-words.ts';

test('INDEXED_STOP_WORDS has the stems of all stop words that stemming changes', () => {
  const changed = [...STOP_WORDS].map(stem).filter((term) => !STOP_WORDS.has(term));
  expect([...INDEXED_STOP_WORDS].sort()).toEqual([...new Set(changed)].sort());
});
