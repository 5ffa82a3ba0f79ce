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
  forget: { id: number; dueAt: number; memories: { id: number }[] };
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

/** Names of the files below the home that contain it. */
function filesWith(text: string): string[] {
  return listFilesBelow(worker.paths.home).filter((file) => readFileSync(file).includes(text));
}

test('a memory is hidden at once, comes back with undo, and is the same as before', async () => {
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

test('without undo every byte of it is gone, also if the worker is killed meanwhile', async () => {
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

test('many are forgotten by a filter, if their number is still the same', async () => {
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

test.each([
  { name: 'nothing named', body: {}, expected: 400 },
  { name: 'an empty filter', body: { filter: {}, count: 3 }, expected: 400 },
  { name: 'both', body: { filter: { kind: 'note' }, memories: [1] }, expected: 400 },
  { name: 'one that is not there', body: { memories: [1, 99] }, expected: 404 },
  { name: 'no number', body: { memories: ['1'] }, expected: 400 },
])('$name is refused, and nothing is forgotten', async ({ body, expected }) => {
  expect(await status('POST', '/api/forget', body)).toBe(expected);
  expect(await listIds()).toEqual([1, 2, 3]);
});
