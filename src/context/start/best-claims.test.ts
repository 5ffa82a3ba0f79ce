import { expect, test } from 'vitest';
import type { StoredMemory } from '../../store/types/memory.ts';
import { createBudget } from '../budget.ts';
import { selectBestClaims } from './best-claims.ts';

const ROOM = { tokens: 1_000, characters: 10_000 };

test('two claims of each memory come before a third of any, and a memory told in part counts in part', () => {
  const long = [
    'Alpha is slow on cold starts.',
    'Beta needs a lock here.',
    'Gamma is read twice.',
    'Delta may be null.',
  ];
  const useful = [rated(1, long), rated(2, ['Epsilon is in UTC.', 'Zeta is a string.'])];
  const told = (tokens: number) => selectBestClaims(useful, createBudget({ ...ROOM, tokens })).shown;
  expect(told(1_000).map(({ how }) => how)).toEqual(['full', 'full']);
  const short = told(56);
  expect(short.map(({ memoryId }) => memoryId)).toEqual([1, 2]);
  expect(short[0]).toMatchObject({ how: 'claims', claims: [1, 2] });
});

test('what is permanent is told first and whole', () => {
  const permanent = rated(
    2,
    ['Never mock the database.', 'Ask before adding packages.', 'One commit per ticket.'],
    {
      isPermanent: true,
    },
  );
  const { shown } = selectBestClaims(
    [rated(1, ['Alpha is slow.']), permanent],
    createBudget({ ...ROOM, tokens: 60 }),
  );
  expect(shown[0]).toMatchObject({ memoryId: 2, how: 'full' });
});

test('what is said elsewhere is not said again, and counts as told', () => {
  const useful = [
    rated(1, ['Alpha is slow on cold starts.']),
    rated(2, ['Alpha is slow on cold starts.', 'Beta waits.']),
  ];
  const { lines, shown } = selectBestClaims(useful, createBudget(ROOM));
  expect(lines.join('\n').match(/Alpha/g)).toHaveLength(1);
  expect(shown.map(({ how }) => how)).toEqual(['full', 'full']);
  expect(selectBestClaims(useful, createBudget(ROOM), ['- Beta waits. (#9)']).lines.join('\n')).not.toContain(
    'Beta',
  );
});

test('a mere change, what is gone and what ranks low are left to the index', () => {
  const useful = [
    rated(1, [], { type: 'change', title: 'Renamed a variable' }),
    rated(2, ['Alpha is slow.'], { state: 'gone' }),
    rated(3, ['Alpha is slow.'], { score: -1 }),
  ];
  expect(selectBestClaims(useful, createBudget(ROOM))).toEqual({ lines: [], shown: [] });
});

function rated(
  id: number,
  facts: string[],
  { type = 'gotcha', title = facts[0] ?? '', state = 'unchanged', score = 3, isPermanent = false } = {},
) {
  const memory = {
    id,
    kind: 'observation',
    type,
    title,
    facts,
    narrative: '',
    parts: null,
    at: 0,
    author: null,
  };
  return {
    memory: memory as unknown as StoredMemory,
    freshness: { state: state as 'unchanged', changed: [], gone: [], namesRemain: true },
    ...{ score, isPermanent, reasons: [] },
  };
}
