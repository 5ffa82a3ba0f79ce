import { expect, test } from 'vitest';
import type { StoredMemory } from '../../store/types/memory.ts';
import { createBudget } from '../budget.ts';
import { selectBestClaims } from './best-claims.ts';

const ROOM = { tokens: 1_000, characters: 10_000 };

test('gives two claims of each memory before a third of any, and counts a partial memory by its claims', () => {
  const long = [
    'Alpha is slow on cold starts.',
    'Beta needs a lock here.',
    'Gamma is read twice.',
    'Delta may be null.',
  ];
  const useful = [rated(1, long), rated(2, ['Epsilon is in UTC.', 'Zeta is a string.'])];
  const shownWithin = (tokens: number) => selectBestClaims(useful, createBudget({ ...ROOM, tokens })).shown;
  expect(shownWithin(1_000).map(({ how }) => how)).toEqual(['full', 'full']);
  const short = shownWithin(56);
  expect(short.map(({ memoryId }) => memoryId)).toEqual([1, 2]);
  expect(short[0]).toMatchObject({ how: 'claims', claims: [1, 2] });
});

test('gives permanent memories first and in full', () => {
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

test('does not repeat a claim of another memory, which counts as given', () => {
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

test('leaves plain changes, memories of deleted files and low scores to the index', () => {
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
