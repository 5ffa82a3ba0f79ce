import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { ORCHARD } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { until } from '../../test/support/until.ts';
import { listFilesBelow } from '../platform/files.ts';

const SECRET = 'zanzibar marmalade';

let worker: ApiWorker;

beforeEach(async () => {
  worker = await startApiWorker({
    fill(store) {
      for (const title of ['Pruning is done in winter', `Robin likes ${SECRET}`, 'Watering is done at night'])
        rememberTurn(store, {
          ...{ place: ORCHARD, at: Date.now() - 60_000 },
          observations: [{ type: 'discovery', title, narrative: `${title}, said the gardener.` }],
        });
    },
  });
});

afterEach(() => worker.stop());

interface Pending {
  forget: { id: number; at: number; dueAt: number; memories: { id: number }[] };
}

async function status(method: string, path: string, body?: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${worker.key}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await worker.raw({ method, path, headers, ...sent })).status;
}

async function listIds(): Promise<number[]> {
  const { memories } = await worker.get<{ memories: { id: number }[] }>('/api/memories');
  return memories.map(({ id }) => id).sort();
}

/** The files below the home that contain this text. */
function filesWith(text: string): string[] {
  return listFilesBelow(worker.paths.home).filter((file) => readFileSync(file).includes(text));
}

test('a forgotten memory is hidden at once, and undo restores it unchanged', async () => {
  const before = await worker.get('/api/memories/2');
  const { forget } = await worker.send<Pending>('POST', '/api/forget', { memories: [2] });
  expect([await listIds(), await status('GET', '/api/memories/2')]).toEqual([[1, 3], 404]);
  const { hits } = await worker.get<{ hits: unknown[] }>('/api/search?q=zanzibar');
  expect(hits).toEqual([]);
  expect(await worker.get('/api/forget')).toMatchObject({
    forgets: [{ id: forget.id, dueAt: forget.dueAt }],
  });
  expect(await worker.send('POST', `/api/forget/${forget.id}/undo`, {})).toEqual({ restored: [2] });
  expect(await worker.get('/api/memories/2')).toEqual(before);
  expect(await status('POST', `/api/forget/${forget.id}/undo`, {})).toBe(404);
});

test('without undo the text disappears from every file, even if the worker is killed meanwhile', async () => {
  await worker.send('POST', '/api/forget', { memories: [2], withSource: true });
  worker.child.kill('SIGKILL');
  await new Promise((resolve) => worker.child.once('exit', resolve));
  expect(filesWith(SECRET)).not.toEqual([]);
  const next = await startApiWorker({ home: worker.paths.home });
  try {
    await until('the end of it', () => (filesWith(SECRET).length === 0 ? true : undefined));
    expect(next.useStore((store) => store.listTrash())).toEqual([]);
  } finally {
    await next.stop();
  }
});

test('a filter forgets many memories if their count has not changed', async () => {
  const filter = { type: 'discovery', kind: 'observation' };
  const preview = await worker.send<{ count: number; titles: unknown[] }>('POST', '/api/forget/preview', {
    filter,
  });
  expect([preview.count, preview.titles.length]).toEqual([3, 3]);
  expect(await status('POST', '/api/forget', { filter })).toBe(400);
  expect(await status('POST', '/api/forget', { filter, count: 2 })).toBe(409);
  expect(await listIds()).toEqual([1, 2, 3]);
  const { forget } = await worker.send<Pending>('POST', '/api/forget', { filter, count: 3 });
  expect(forget.memories.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(await listIds()).toEqual([]);
  await worker.send('POST', `/api/forget/${forget.id}/undo`, {});
  expect(await listIds()).toEqual([1, 2, 3]);
});

test('memories forgotten together are deleted together, ten seconds after the last request', async () => {
  const first = (await worker.send<Pending>('POST', '/api/forget', { memories: [1] })).forget;
  await new Promise((resolve) => setTimeout(resolve, 50));
  const second = (await worker.send<Pending>('POST', '/api/forget', { memories: [2], together: [first.id] }))
    .forget;
  expect(second.dueAt).toBe(second.at + 10_000);
  expect(second.dueAt).toBeGreaterThan(first.dueAt);
  const listDue = async () =>
    (await worker.get<{ forgets: Pending['forget'][] }>('/api/forget')).forgets.map(({ id, dueAt }) => ({
      ...{ id, dueAt },
    }));
  expect(await listDue()).toEqual([
    { id: second.id, dueAt: second.dueAt },
    { id: first.id, dueAt: second.dueAt },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await worker.send('POST', `/api/forget/${second.id}/undo`, { together: [first.id] });
  const [left] = await listDue();
  expect(left).toEqual({ id: first.id, dueAt: expect.any(Number) });
  expect(left?.dueAt).toBeGreaterThan(second.dueAt);
  await worker.send('POST', `/api/forget/${first.id}/undo`, {});
  expect(await listIds()).toEqual([1, 2, 3]);
});

test.each([
  { name: 'no selection', body: {}, expected: 400 },
  { name: 'an empty filter', body: { filter: {}, count: 3 }, expected: 400 },
  { name: 'a filter together with ids', body: { filter: { kind: 'note' }, memories: [1] }, expected: 400 },
  { name: 'an unknown memory', body: { memories: [1, 99] }, expected: 404 },
  { name: 'an id that is not a number', body: { memories: ['1'] }, expected: 400 },
])('$name is refused and nothing is forgotten', async ({ body, expected }) => {
  expect(await status('POST', '/api/forget', body)).toBe(expected);
  expect(await listIds()).toEqual([1, 2, 3]);
});
