import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../test/support/memory-store.ts';
import { recall } from './recall.ts';
import { recallTopics } from './recall-topics.ts';

let memory: MemoryStoreForTest;
let limit: number;
let jwt: number;
let moment: number;
beforeEach(() => {
  memory = openMemoryStore();
  for (let number = 0; number < 30; number++) memory.addNote(`Filler ${number} about nothing much at all`);
  moment = memory.addNote('Get rid of moment: dates are formatted by Intl');
  limit = memory.addNote('413 responses come from nginx, client_max_body_size is 20m now');
  jwt = memory.addNote('Jwt keys rotate every ninety days, the old key stays valid for a day');
});
afterEach(() => memory.close());

function request(text: string) {
  return { text, projectId: 1, reach: 'project' as const, limit: 10, now: 0 };
}

it('takes no hit for an answer because of a verb that any question has', () => {
  const answers = (text: string) =>
    recall(memory.store, request(text)).flatMap(({ id, isWeaker }) => (isWeaker ? [] : [id]));
  expect(answers('why do we get 413')).toEqual([limit]);
  expect(answers('get rid of moment')).toEqual([moment]);
  // Without another word to go by, the verb is what was asked for.
  expect(answers('get')).toEqual([moment]);
});

it('does so for each topic of a question', () => {
  const { hits } = recallTopics(memory.store, request('why do we get 413 and how are jwt keys rotated'));
  const answers = hits.filter(({ isWeaker }) => !isWeaker).map(({ id }) => id);
  expect(answers.sort()).toEqual([limit, jwt]);
});
