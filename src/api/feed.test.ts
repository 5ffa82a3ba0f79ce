import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { call, ingestEvents, ORCHARD, prompt } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';

const BEGAN = Date.now() - 3_600_000;

let worker: ApiWorker;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      for (let turn = 1; turn <= 3; turn++)
        rememberTurn(store, {
          ...{ session: 'grafting', place: ORCHARD, at: BEGAN + turn * 60_000 },
          observations: [{ title: `Decision ${turn}` }],
          summary: { request: `Graft tree ${turn}`, completed: 'Grafted it.' },
        });
      const at = Date.now();
      ingestEvents(
        store,
        { session: 'pears', at, event: prompt('Plant pears') },
        { session: 'pears', at, event: call('Bash', { command: 'dig' }, '') },
        { session: 'pears', at, event: call('Bash', { command: 'water' }, '') },
      );
    },
  });
});
afterAll(() => worker.stop());

interface Feed {
  memories: { id: number; turnId: number }[];
  turns: { id: number; request: string }[];
  sessions: { agentSession: string }[];
  next: string | null;
}

test('a page of the feed includes the turns and sessions of its memories', async () => {
  const first = await worker.get<Feed>('/api/feed?limit=4');
  expect(first.turns.map(({ request }) => request)).toEqual(['Graft tree 3', 'Graft tree 2']);
  expect(first.sessions.map(({ agentSession }) => agentSession)).toEqual(['grafting']);
  const second = await worker.get<Feed>(`/api/feed?limit=4&cursor=${first.next}`);
  expect([second.turns.map(({ request }) => request), second.next]).toEqual([['Graft tree 1'], null]);
});

test('a running turn lists its tools and its last call', async () => {
  const { running } = await worker.get<{
    running: { turn: { request: string }; tools: unknown; last: { input: unknown } }[];
  }>('/api/running');
  expect(running.map(({ turn, tools, last }) => [turn.request, tools, last.input])).toEqual([
    ['Plant pears', [{ name: 'Bash', count: 2 }], { command: 'water' }],
  ]);
});

test('filters apply to memories and running turns', async () => {
  expect((await worker.get<Feed>('/api/feed?type=gotcha')).memories).toEqual([]);
  expect(await worker.get('/api/running?agent=codex')).toEqual({ running: [] });
});
