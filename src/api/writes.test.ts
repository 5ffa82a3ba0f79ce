import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { ORCHARD } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { until } from '../../test/support/until.ts';
import { pause, unpause } from '../capture/pauses.ts';

let worker: ApiWorker;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      for (const [index, title] of ['Prune in winter', 'Prune pears late', 'Water at night'].entries())
        rememberTurn(store, {
          ...{
            session: 'pruning',
            place: ORCHARD,
            at: Date.now() - 60_000 + index,
            folder: '/nowhere/orchard',
          },
          observations: [{ title, narrative: `${title}, because the gardener said so in lesson ${index}.` }],
        });
      rememberTurn(store, {
        ...{ session: 'barn', place: { path: '/nowhere/barn', name: 'barn' }, at: Date.now() - 50_000 },
        ...{ folder: '/nowhere/barn', observations: [{ title: 'The barn door sticks' }] },
      });
    },
  });
});

afterAll(() => worker.stop());

interface Changed {
  memory: {
    title: string;
    facts: string[];
    pinnedAt: number | null;
    supersededBy: number | null;
    strength: number;
  };
}

/** The status and detail of a refused request. */
async function refusal(method: string, path: string, body: unknown) {
  const headers = { authorization: `Bearer ${worker.key}`, 'content-type': 'application/json' };
  const { status, text } = await worker.raw({ method, path, headers, body: JSON.stringify(body) });
  return { status, detail: JSON.parse(text).detail };
}

test('edits, redacts and pins a memory', async () => {
  const { memory } = await worker.send<Changed>('PATCH', '/api/memories/1', {
    title: 'Prune in late winter',
    facts: ['The key is AKIAIOSFODNN7EXAMPLQ'],
    pinned: true,
  });
  expect(memory.title).toBe('Prune in late winter');
  expect(memory.facts).toEqual(['The key is [redacted:aws-key-id]']);
  expect(memory.pinnedAt).not.toBeNull();
  const { hits } = await worker.get<{ hits: { entry: { id: string } }[] }>('/api/search?q=late%20winter');
  expect(hits[0]?.entry.id).toBe('#1');
});

test('supersedes a memory and takes that back', async () => {
  const { memory } = await worker.send<Changed>('POST', '/api/memories/3/supersede', { by: 2 });
  expect(memory.supersededBy).toBe(2);
  expect(await refusal('POST', '/api/memories/2/supersede', { by: 3 })).toEqual({
    status: 409,
    detail: 'Nothing was changed: Memory 3 was replaced by 2.',
  });
  const back = await worker.send<Changed>('POST', '/api/memories/3/supersede', { by: null });
  expect(back.memory.supersededBy).toBeNull();
});

test('merges memories into one with the content of both', async () => {
  const { memory } = await worker.send<Changed>('POST', '/api/memories/2/merge', { from: [3] });
  expect(memory.facts).toContain('Water at night, because the gardener said so in lesson 2.');
  expect(memory.strength).toBe(2);
  const { memory: other } = await worker.get<Changed>('/api/memories/3');
  expect(other.supersededBy).toBe(2);
  expect(await refusal('POST', '/api/memories/2/merge', { from: [4] })).toEqual({
    status: 409,
    detail: 'Nothing was changed: Memory 4 is of another project.',
  });
});

test('a program opens a session, adds events and ends it', async () => {
  const { session } = await worker.send<{ session: { id: number; agent: string; project: string } }>(
    'POST',
    '/api/sessions',
    { project: 2, session: 'my-script' },
  );
  expect(session).toMatchObject({ agent: 'raw', project: 'barn' });
  const said = 'We decided to oil the hinges of the barn door every spring, because rust makes it stick.';
  const events = [
    { event: 'prompt', text: 'Oil the hinges of the barn door' },
    { event: 'turn-end', text: said },
  ];
  expect(await worker.send('POST', `/api/sessions/${session.id}/events`, { events })).toEqual({
    accepted: 2,
  });
  await worker.send('POST', `/api/sessions/${session.id}/end`, {});
  const memories = await until('a memory of the session', async () => {
    const page = await worker.get<{ memories: { title: string }[] }>(`/api/memories?session=${session.id}`);
    return page.memories.length > 0 ? page.memories : undefined;
  });
  expect(JSON.stringify(memories)).toContain('hinges');
  expect(await refusal('POST', `/api/sessions/${session.id}/events`, { events })).toEqual({
    status: 409,
    detail: `Session ${session.id} has ended.`,
  });
  expect(await refusal('POST', '/api/sessions/1/events', { events })).toEqual({
    status: 409,
    detail: 'Session 1 belongs to claude-code.',
  });
});

test('refuses a session while capture is paused', async () => {
  pause(worker.paths, { all: true }, Date.now());
  try {
    expect((await refusal('POST', '/api/sessions', { project: 2 })).status).toBe(409);
  } finally {
    unpause(worker.paths, { all: true });
  }
});

test('checks all settings before saving any', async () => {
  const refused = { changes: { 'context.tokens': 900, 'log.level': 'loud' } };
  expect((await refusal('PATCH', '/api/settings', refused)).status).toBe(400);
  expect(await refusal('PATCH', '/api/settings', { changes: { colour: 'red' } })).toEqual({
    status: 400,
    detail: 'There is no setting colour.',
  });
  const before = readFileSync(worker.paths.config, 'utf8');
  expect(before).not.toContain('900');
  const { settings } = await worker.send<{ settings: { name: string; value: unknown; from: string }[] }>(
    'PATCH',
    '/api/settings',
    { changes: { 'context.tokens': 900 } },
  );
  expect(settings.find(({ name }) => name === 'context.tokens')).toMatchObject({ value: 900, from: 'file' });
  await worker.send('PATCH', '/api/settings', { changes: { 'context.tokens': null } });
  expect(JSON.parse(readFileSync(worker.paths.config, 'utf8'))).toEqual(JSON.parse(before));
});

test('does not overwrite a settings file that cannot be parsed', async () => {
  const before = readFileSync(worker.paths.config, 'utf8');
  writeFileSync(worker.paths.config, '{"log.keepDays": 3');
  try {
    expect(await refusal('PATCH', '/api/settings', { changes: { 'context.tokens': 900 } })).toEqual({
      status: 409,
      detail: `${worker.paths.config}: is not valid JSON. Repair or remove the file first; nothing was changed.`,
    });
    expect(readFileSync(worker.paths.config, 'utf8')).toBe('{"log.keepDays": 3');
  } finally {
    writeFileSync(worker.paths.config, before);
  }
});

test('renames, merges and splits projects', async () => {
  const renamed = await worker.send('PATCH', '/api/projects/2', { name: 'big barn' });
  expect(renamed).toMatchObject({ project: { id: 2, name: 'big barn' } });
  for (const name of ['   ', '\u200b\u202e'])
    await expect(worker.send('PATCH', '/api/projects/2', { name })).rejects.toThrow('needs a name');
  const merged = await worker.send('POST', '/api/projects/2/merge', { into: 1 });
  expect(merged).toMatchObject({ project: { id: 1, merged: [{ id: 2, name: 'big barn' }] } });
  expect((await refusal('POST', '/api/projects/2/merge', { into: 1 })).status).toBe(404);
  expect(await worker.send('POST', '/api/projects/2/split', {})).toMatchObject({ project: { id: 2 } });
  await worker.send('PATCH', '/api/projects/2', { name: null });
});

test('retries failed jobs', async () => {
  expect(await worker.send('POST', '/api/queue/retry', { job: 'all' })).toEqual({ queued: 0 });
  expect(await refusal('POST', '/api/queue/retry', { job: 99 })).toEqual({
    status: 404,
    detail: 'There is no job 99 to retry.',
  });
});
