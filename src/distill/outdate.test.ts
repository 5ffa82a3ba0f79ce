import { expect, test } from 'vitest';
import { edited, turnOf } from '../../test/support/made-up-turn.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { findOutdated, findReplacedValues } from './outdate.ts';

const turn = turnOf({ calls: [edited('src/wait.cs', 'FromSeconds(30)', 'FromSeconds(45)')] });
const told = (title: string, filesModified = ['src/wait.cs']) =>
  ({ id: 7, title, filesModified }) as StoredMemory;

test.each<[string, StoredMemory, number[]]>([
  ['the value that was replaced', told('The wait is capped at 30 seconds now'), [7]],
  ['the value that holds now', told('30 s is too short, 45 s holds'), []],
  ['another value', told('A job is given up after 5 attempts'), []],
  ['another file', told('The cache holds 30 entries', ['src/cache.cs']), []],
])('a memory that tells %s', (_name, memory, expected) => {
  expect(findOutdated(findReplacedValues(turn), [memory])).toEqual(expected);
});
