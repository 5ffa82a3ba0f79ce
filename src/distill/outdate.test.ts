import { expect, test } from 'vitest';
import { edited, turnOf } from '../../test/support/made-up-turn.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { findOutdated, findReplacedValues } from './outdate.ts';

const told = (title: string, filesModified = ['src/wait.cs'], type: StoredMemory['type'] = 'change') =>
  ({ id: 7, title, type, filesModified }) as StoredMemory;
const valuesOf = (before: string, after: string) =>
  findReplacedValues(turnOf({ calls: [edited('src/wait.cs', before, after)] }));

const toLonger = valuesOf('FromSeconds(30)', 'FromSeconds(45)');

test.each<[string, StoredMemory, number[]]>([
  ['the value that was replaced', told('The wait is capped at 30 seconds now'), [7]],
  ['the value that holds now', told('30 s is too short, 45 s holds'), []],
  ['another value', told('A job is given up after 5 attempts'), []],
  ['another file', told('The cache holds 30 entries', ['src/cache.cs']), []],
  ['a rule of the person', told('Never wait longer than 30 seconds', [], 'preference'), []],
])('a memory that tells %s', (_name, memory, expected) => {
  expect(findOutdated(toLonger, [], [memory])).toEqual(expected);
});

test('a name that the session itself had put in, and took out again', () => {
  const added = valuesOf('start()', 'start(Quantum)');
  const removed = valuesOf('start(Quantum)', 'start(Oban)');
  const memory = told('Quantum runs every Monday', []);
  expect(findOutdated(removed, added, [memory])).toEqual([7]);
  expect(findOutdated(removed, [], [memory])).toEqual([]);
});
