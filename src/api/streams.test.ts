import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { ORCHARD } from '../../test/support/captured.ts';
import { openEventStream, type StreamMessage } from '../../test/support/event-stream.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { until } from '../../test/support/until.ts';
import { revokeKeys } from './access.ts';

let worker: ApiWorker;

beforeEach(async () => {
  worker = await startApiWorker({
    settings: { 'worker.idleSeconds': 1 },
    fill: (store) =>
      rememberTurn(store, {
        ...{ place: ORCHARD, at: Date.now() - 60_000 },
        observations: [{ title: 'Prune in winter' }, { title: 'Water at night' }],
      }),
  });
});

afterEach(() => worker.stop());

function watch(lastEventId?: number) {
  return openEventStream(`${worker.origin}/api/stream`, {
    authorization: `Bearer ${worker.key}`,
    ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
  });
}

const names =
  (what: string, id: number, how: string) =>
  ({ data }: StreamMessage) =>
    Array.isArray(data) &&
    data.some((change) => change.what === what && change.id === id && change.how === how);

test('a change by another process arrives, and a new stream continues after a break', async () => {
  const first = await watch();
  const ready = await first.next('the greeting', ({ event }) => event === 'ready');
  worker.useStore((store) => store.editMemory(1, { title: 'Prune in spring' }, Date.now()));
  const edited = await first.next('the edit', names('memory', 1, 'changed'));
  expect(edited.id).toBeGreaterThan(ready.id);
  first.close();
  worker.useStore((store) => {
    store.pinMemory(2, 1);
    store.forget(
      { memories: [1], prompts: [], sessions: [] },
      { withSource: false, isDryRun: false },
      Date.now(),
    );
  });
  const second = await watch(edited.id);
  const missed = await second.next('what was missed', names('memory', 1, 'removed'));
  expect(second.messages.flatMap(({ data }) => (Array.isArray(data) ? data : []))).toContainEqual({
    ...{ number: expect.any(Number), what: 'memory', id: 2, how: 'changed' },
  });
  expect(missed.id).toBeGreaterThan(edited.id);
  second.close();
});

test.each([
  { name: 'from the future', number: Number.MAX_SAFE_INTEGER - 10 ** 15 },
  { name: 'too old', number: 5 },
])('a last event id that is $name causes a reset', async ({ number }) => {
  const stream = await watch(number);
  const { id } = await stream.next('the reset', ({ event }) => event === 'reset');
  expect(id).toBe(worker.useStore((store) => store.getChangeRange().last));
  stream.close();
});

test('an open stream keeps the worker running, and closing it lets the worker exit', async () => {
  const stream = await watch();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(worker.child.exitCode).toBeNull();
  stream.close();
  await until('the end of the worker', () => worker.child.exitCode ?? undefined);
});

test('revoking the keys ends their streams', async () => {
  const stream = await watch();
  await stream.next('the greeting', ({ event }) => event === 'ready');
  revokeKeys(worker.paths);
  await stream.end;
  expect((await watch()).status).toBe(401);
});

test('the number of streams per key is limited', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => watch()));
  expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await watch()).status).toBe(429);
  for (const stream of streams) stream.close();
  await until('a free place', async () => ((await watch()).status === 200 ? true : undefined));
});
