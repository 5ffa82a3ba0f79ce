import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { runCairn } from '../../test/support/run-cairn.ts';

let worker: ApiWorker;
let cwd: string;

beforeAll(async () => {
  worker = await startApiWorker({
    fill(store) {
      // A project outside git is identified by its folder.
      cwd = '/';
      rememberTurn(store, {
        ...{ session: 'earlier', place: { path: '/', name: '/' }, at: Date.now() - 60_000, folder: '/' },
        observations: [
          { type: 'preference', title: 'Use tabs in every Makefile', narrative: 'Spaces break make.' },
          {
            type: 'gotcha',
            title: 'The deploy key rotates on Mondays',
            narrative: 'Deploys fail until noon.',
          },
        ],
      });
    },
  });
});

afterAll(() => worker.stop());

function hook(event: string, payload: object): string {
  const home = dirname(worker.paths.home);
  const stdin = JSON.stringify({ session: 'mine', cwd, ...payload });
  return runCairn({ home, cwd: '/', stdin, env: { CAIRN_HOME: worker.paths.home } }, 'hook', 'raw', event)
    .stdout;
}

interface Injection {
  id: number;
  source: string;
  text: string | null;
  isForgotten: boolean;
  shown: { memoryId: number; title: string | null; how: string }[];
  leftOut: unknown[];
}

test("a hook's context is stored word for word until its memory is forgotten", async () => {
  const { context } = JSON.parse(hook('session-start', {}));
  const { injections } = await worker.get<{ injections: Injection[] }>('/api/injections?session=mine');
  expect(injections.map(({ source, isForgotten }) => ({ source, isForgotten }))).toEqual([
    { source: 'start', isForgotten: false },
  ]);
  const id = injections[0]?.id;
  const { injection } = await worker.get<{ injection: Injection }>(`/api/injections/${id}`);
  expect(injection.text).toBe(context);
  expect(injection.shown.map(({ memoryId }) => memoryId).sort()).toEqual([1, 2]);

  const { contexts } = await worker.get<{ contexts: { id: number }[] }>('/api/memories/1');
  expect(contexts.map((context) => context.id)).toEqual([id]);
  const home = dirname(worker.paths.home);
  const env = { CAIRN_HOME: worker.paths.home };
  const shown = runCairn({ home, cwd: '/', env }, 'context', '--given', 'last', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ id, text: context });

  runCairn({ home, cwd: '/', env }, 'forget', '1', '--yes');
  const after = await worker.get<{ injection: Injection }>(`/api/injections/${id}`);
  expect(after.injection).toMatchObject({ text: null, isForgotten: true, shown: [], leftOut: [] });
  runCairn({ home, cwd: '/', env }, 'forget', '--undo', '1');
  const restored = await worker.get<{ injection: Injection }>(`/api/injections/${id}`);
  expect(restored.injection.text).toBe(context);
});

test('old contexts are deleted except the last one', () => {
  worker.useStore((store) => {
    const context = { agent: 'raw', agentSession: 's', source: 'file' as const, tokens: 1, budget: 300 };
    for (const at of [1, 2, Date.now()]) store.recordInjections([], { ...context, at, body: '{}' });
    expect(store.deleteOldContexts(1_000)).toBe(2);
    expect(store.listGivenContexts({ agentSession: 's' }, 10)).toHaveLength(1);
  });
});
