import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../test/support/memory-store.ts';
import { searchMemory } from './search-memory.ts';

let memory: MemoryStoreForTest;
beforeEach(() => {
  memory = openMemoryStore();
  for (let number = 1; number <= 30; number++) memory.addNote(`Filler ${number} about nothing much at all`);
});
afterEach(() => memory.close());

function search(text: string, limit = 10) {
  const request = { text, limit, projectId: 1, reach: 'project' as const, now: 0 };
  const answer = searchMemory(memory.store, request, () => ({ marks: [], weight: 1 }));
  return { ...answer, ids: answer.hits.map(({ entry }) => entry.id) };
}

it('finds a memory by its number, before those that mention the number', () => {
  const mentions = memory.addNote('Closed by issue #7 of the tracker');
  expect(search('#7').ids.slice(0, 2)).toEqual(['#7', `#${mentions}`]);
  expect(search(' #7 ', 1)).toMatchObject({ ids: ['#7'], more: expect.any(Number) });
  expect(search('#7').hits[0]?.entry.reasons).toEqual(['has this number']);
  // In a sentence it is a word.
  expect(search('tracker issue #7').ids[0]).toBe(`#${mentions}`);
  expect(search('#999').ids).toEqual([]);
});

it('says how many hits are beyond the limit', () => {
  expect(search('kind:note')).toMatchObject({ more: 20 });
  expect(search('kind:note', 30)).toMatchObject({ more: 0 });
  expect(search('filler')).toMatchObject({ more: 20 });
});

it('counts errors', () => {
  for (let number = 0; number < 5; number++)
    memory.addFailure(`RangeError: port ${'abcde'[number]} is taken`, { turn: 1 });
  expect(search('kind:error', 2)).toMatchObject({ more: 3 });
});

it('finds nothing by stop words alone', () => {
  expect(search('about the all')).toMatchObject({ hits: [], more: 0 });
});
