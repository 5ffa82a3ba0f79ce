import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { ingestEvents, ORCHARD } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { startPruning } from '../../test/support/works.ts';

/** One day ago: raw events that are a month old would be emptied. */
const BEGAN = Date.now() - 86_400_000;

let worker: ApiWorker;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      for (let turn = 1; turn <= 5; turn++)
        rememberTurn(store, {
          ...{ session: 'grafting', place: ORCHARD, at: BEGAN + turn * 60_000, folder: '/nowhere/orchard' },
          observations: [
            {
              type: turn === 3 ? 'gotcha' : 'decision',
              title: `Decision ${turn} about apple grafting`,
              narrative: `The scion of tree ${turn} is cut in winter.`,
              filesModified: [`src/tree-${turn}.ts`],
            },
          ],
          summary: { request: `Graft tree ${turn}`, completed: 'Grafted it.' },
        });
      ingestEvents(store, {
        ...{ session: 'pears', at: BEGAN + 600_000 },
        event: { kind: 'prompt', text: 'Plant pears', origin: 'person' },
      });
      startPruning(store, { place: ORCHARD, session: 'grafting', tasks: ['done', 'open'], at: BEGAN });
    },
  });
});

afterAll(() => worker.stop());

interface Row {
  id: number;
  title: string;
}

test('pages of memories neither repeat nor miss one', async () => {
  const seen: number[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: { memories: Row[]; next: string | null } = await worker.get(
      `/api/memories?limit=3${next === '' ? '' : `&cursor=${next}`}`,
    );
    seen.push(...page.memories.map(({ id }) => id));
    next = page.next;
  }
  expect(seen).toEqual([9, 10, 7, 8, 5, 6, 3, 4, 1, 2].sort((a, b) => b - a));
});

test.each([
  { query: 'type=gotcha', titles: ['Decision 3 about apple grafting'] },
  {
    query: 'kind=observation&limit=2',
    titles: ['Decision 5 about apple grafting', 'Decision 4 about apple grafting'],
  },
  { query: 'pinned=true', titles: [] },
  { query: 'project=99', titles: [] },
  { query: 'agent=codex', titles: [] },
  { query: `kind=observation&before=${BEGAN + 61_000}`, titles: ['Decision 1 about apple grafting'] },
])('filters memories by $query', async ({ query, titles }) => {
  const { memories } = await worker.get<{ memories: Row[] }>(`/api/memories?${query}`);
  expect(memories.map(({ title }) => title)).toEqual(titles);
});

test('a memory includes its history', async () => {
  const { memory, history } = await worker.get<{ memory: Row; history: { prompt: string } }>(
    '/api/memories/1',
  );
  expect([memory.title, history.prompt]).toEqual(['Decision 1 about apple grafting', 'Graft tree 1']);
});

test('search finds memories by words and reports replaced words', async () => {
  const found = await worker.get<{ hits: { entry: Row }[]; replaced: unknown[] }>(
    '/api/search?q=scion%20of%20tree%204&limit=3',
  );
  expect(found.hits[0]?.entry.title).toBe('Decision 4 about apple grafting');
  const cut = await worker.get<{ hits: unknown[]; more: number }>('/api/search?q=since:1970-01-01&limit=2');
  expect([cut.hits.length, cut.more > 0]).toEqual([2, true]);
  const { replaced } = await worker.get<{ replaced: unknown[] }>('/api/search?q=graftign');
  expect(replaced).toEqual([{ typed: 'graftign', used: 'grafting' }]);
});

test('skips a search if the page has hung up meanwhile', async () => {
  const countSearches = async () => {
    const { latency } = await worker.get<{ latency: { searches: { count: number }[] } }>('/api/statistics');
    return latency.searches.reduce((sum, { count }) => sum + count, 0);
  };
  const before = await countSearches();
  const head = `Host: 127.0.0.1:${worker.port}\r\nAuthorization: Bearer ${worker.key}`;
  const letters = [...'grafting'];
  // While the worker is stopped, the kernel accepts the requests and the end of each connection.
  worker.child.kill('SIGSTOP');
  const closed = letters.map((_, index) => {
    const q = letters.slice(0, index + 1).join('');
    const socket = connect(worker.port, '127.0.0.1').on('error', () => {});
    socket.resume().end(`GET /api/search?q=${q}&typing=true HTTP/1.1\r\n${head}\r\n\r\n`);
    return { sent: once(socket, 'finish'), ended: once(socket, 'close') };
  });
  await Promise.all(closed.map(({ sent }) => sent));
  worker.child.kill('SIGCONT');
  await Promise.all(closed.map(({ ended }) => ended));
  await worker.get('/api/search?q=grafting&typing=true');
  const searches = (await countSearches()) - before;
  expect(searches).toBeGreaterThan(0);
  expect(searches).toBeLessThan(letters.length);
});

test('a session lists its turns, and a turn its events', async () => {
  const { sessions } = await worker.get<{ sessions: { id: number; agentSession: string }[] }>(
    '/api/sessions',
  );
  expect(sessions.map(({ agentSession }) => agentSession)).toEqual(['pears', 'grafting']);
  const grafting = sessions[1]?.id;
  const { turns } = await worker.get<{ turns: { id: number; request: string; memories: number[] }[] }>(
    `/api/sessions/${grafting}`,
  );
  expect(turns.map(({ request, memories }) => ({ request, memories })).slice(0, 2)).toEqual([
    { request: 'Graft tree 1', memories: [1, 2] },
    { request: 'Graft tree 2', memories: [3, 4] },
  ]);
  const { events } = await worker.get<{ events: { id: number; kind: string; text: string }[] }>(
    `/api/turns/${turns[0]?.id}/events`,
  );
  expect(events.map(({ kind, text }) => ({ kind, text }))).toEqual([{ kind: 'turn-end', text: 'Done.' }]);
  await worker.get(`/api/turns/${turns[0]?.id}`);
  await worker.get(`/api/events/${events[0]?.id}`);
});

test('the timeline is ordered around an id', async () => {
  const { entries } = await worker.get<{ entries: { id: string }[] }>(
    '/api/timeline?around=3&before=2&after=1',
  );
  expect(entries.map(({ id }) => id)).toEqual(['#2', 'p2', '#3', '#4']);
});

test('finds memories of a file by its path or the end of the path', async () => {
  for (const path of ['src/tree-2.ts', 'tree-2.ts', './src/tree-2.ts']) {
    const { memories } = await worker.get<{ memories: Row[] }>(`/api/files?path=${encodeURIComponent(path)}`);
    expect(memories.map(({ id }) => id)).toEqual([3]);
  }
});

test('a work item includes its tasks', async () => {
  const { workItems } = await worker.get<{ workItems: { id: number; name: string }[] }>('/api/work-items');
  const { tasks } = await worker.get<{ tasks: { subject: string }[] }>(
    `/api/work-items/${workItems.find(({ name }) => name === 'pruning')?.id}`,
  );
  expect(tasks.map(({ subject }) => subject)).toEqual(['done', 'open']);
});

test('a period lists its sessions with their memories by type', async () => {
  const span = `from=${BEGAN}&to=${BEGAN + 200_000}`;
  const { sessions } = await worker.get<{ sessions: { title: string; byType: unknown }[] }>(
    `/api/period?${span}`,
  );
  expect(sessions.map(({ title, byType }) => ({ title, byType }))).toEqual([
    {
      title: 'Graft tree 1',
      byType: [
        { name: 'decision', count: 2 },
        { name: 'gotcha', count: 1 },
      ],
    },
  ]);
  expect(await worker.get('/api/period?from=0&to=1')).toEqual({
    sessions: [],
    tokensGiven: 0,
    memoriesGiven: 0,
  });
});

test.each([
  '/api/health',
  '/api/projects',
  '/api/queue',
  '/api/logs?level=info',
  '/api/settings',
  '/api/statistics',
])('%s matches its schema', async (path) => {
  expect(Object.keys(await worker.get(path)).length).toBeGreaterThan(0);
});

test.each([
  { path: '/api/memories/999', status: 404, detail: 'There is no memory 999.' },
  { path: '/api/sessions/999', status: 404, detail: 'There is no session 999.' },
  { path: '/api/turns/999/events', status: 404, detail: 'There is no turn 999.' },
  { path: '/api/events/999', status: 404, detail: 'There is no event 999.' },
  { path: '/api/work-items/999', status: 404, detail: 'There is no work item 999.' },
  { path: '/api/nothing', status: 404, detail: 'There is no /api/nothing.' },
  { path: '/api/memories?colour=red', status: 400, detail: 'Wrong values in the query: unknown: colour' },
  { path: '/api/memories?limit=2&limit=3', status: 400, detail: 'limit is given twice.' },
  { path: '/api/search', status: 400, detail: 'Missing search terms.' },
  { path: '/api/search?q=%20', status: 400, detail: 'Missing search terms.' },
  {
    path: `/api/search?q=${'x'.repeat(10_001)}`,
    status: 400,
    detail: 'The query has more than 10,000 characters.',
  },
  {
    path: '/api/search?q=x&limit=many',
    status: 400,
    detail: 'Wrong values in the query: limit must be a whole number from 1 to 200',
  },
  { path: '/api/search?q=kind:gotcha', status: 400, detail: expect.stringContaining('type:gotcha') },
  {
    path: '/api/search?q=project:nowhere%20x',
    status: 400,
    detail: expect.stringContaining('Unknown project'),
  },
  { path: '/api/timeline?around=never', status: 400, detail: expect.stringContaining('neither an id') },
])('$path fails with $status', async ({ path, status, detail }) => {
  const { key } = worker;
  const answer = await worker.raw({ path, headers: { authorization: `Bearer ${key}` } });
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect({ ...JSON.parse(answer.text), request: '' }).toMatchObject({ status, detail });
});
