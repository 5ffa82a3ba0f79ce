import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findLeaks } from '../../test/support/leaks.ts';
import {
  type Play,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../test/support/scripted-provider.ts';
import { secretShapes } from '../../test/support/secrets.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { ingestSpool } from '../capture/intake.ts';
import { readModelProblem } from '../capture/model-problem.ts';
import { openLog } from '../capture/open-log.ts';
import { writeSpoolFile } from '../capture/spool.ts';
import { readEnvironment, readModelAccess } from '../config/environment.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { distillTurn } from '../distill/distill-turn.ts';
import { pathsOf } from '../platform/paths.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../store/types/job.ts';
import { createPolisher } from './polish.ts';

const NEVER = new AbortController().signal;
const BETTER = JSON.stringify({
  observations: [
    {
      type: 'bugfix',
      title: 'Prices are rounded, not cut',
      subtitle: '',
      narrative: 'floor cut the cents off; price.js rounds now.',
      facts: ['price.js used Math.floor'],
      concepts: ['rounding'],
      files_read: [],
      files_modified: ['price.js'],
    },
  ],
  summary: {
    request: 'fix the rounding',
    investigated: '',
    learned: 'floor cut the cents off',
    completed: 'price.js rounds',
    next_steps: '',
    notes: '',
  },
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Creates a home with `turns` turns, distilled offline, and a scripted model. */
async function setUp(
  plays: Play[],
  { turns = 1, settings: changed = {} as Partial<Settings>, output = 'ok 1' } = {},
) {
  const provider: ScriptedProvider = await startScriptedProvider(plays);
  const paths = pathsOf(join(tempFolder(), '.cairn'));
  const settings: Settings = {
    ...loadSettings(paths.config, readEnvironment({})).settings,
    'model.provider': 'anthropic',
    'model.name': 'small',
    'model.baseUrl': provider.url,
    'model.timeoutSeconds': 1,
    ...changed,
  };
  const clock = { at: Date.UTC(2026, 5, 1, 10) };
  const now = () => clock.at;
  const log = openLog({ folder: paths.logs, from: 'test' });
  const store = openSqliteStore(paths.database);
  open.push(store, provider);
  for (let turn = 0; turn < turns; turn++) spoolTurn(turn, output);
  ingestSpool({ paths, store, settings, log });
  for (let job = claim(store, 'distil'); job; job = claim(store, 'distil'))
    distillTurn(store, job, { now, next: 'polish' });
  const access = readModelAccess({
    ANTHROPIC_API_KEY: ['sk', 'test', 'made-up'].join('-'),
    HOME: paths.home,
  });
  const polisher = createPolisher({ paths, settings, access, log, now });
  return {
    paths,
    store,
    clock,
    provider,
    polish: () => polisher.polish(store, NEVER),
    kinds: polisher.kinds,
  };

  function spoolTurn(number: number, stdout: string): void {
    const common = { session_id: `s-${number}`, prompt_id: `p-${number}`, cwd: paths.home };
    const events: [string, object][] = [
      ['UserPromptSubmit', { prompt: `fix the rounding of price ${number}` }],
      [
        'PostToolUse',
        {
          tool_name: 'Edit',
          tool_use_id: `edit-${number}`,
          tool_input: { file_path: `${paths.home}/price.js`, old_string: 'floor', new_string: 'round' },
          tool_response: { filePath: `${paths.home}/price.js` },
        },
      ],
      [
        'PostToolUse',
        {
          tool_name: 'Bash',
          tool_use_id: `run-${number}`,
          tool_input: { command: 'npm test' },
          tool_response: { stdout },
        },
      ],
      [
        'Stop',
        {
          last_assistant_message: `Fixed price ${number}: floor cut the cents off, it rounds now.`,
          stop_hook_active: false,
        },
      ],
    ];
    for (const [hook, fields] of events)
      writeSpoolFile(
        paths,
        { agent: 'claude-code', hook, via: 'settings', projectDir: paths.home },
        common.session_id,
        Buffer.from(JSON.stringify({ ...common, hook_event_name: hook, ...fields })),
      );
  }
}

function claim(store: Store, kind: string): Job | null {
  return store.claimJob([kind], Date.now(), 60_000);
}

const titles = (store: Store) =>
  store.listRecentMemories({ kind: 'observation', limit: 50 }).map(({ title }) => title);

describe('polishing with a model', () => {
  test('replaces the offline result under the same ids, with one call per turn', async () => {
    const { store, polish, provider } = await setUp([{ says: BETTER }]);
    const before = store.listRecentMemories({ limit: 9 }).map(({ id }) => id);
    expect(await polish()).toBe(true);
    const after = store.listRecentMemories({ limit: 9 });
    expect(after.map(({ id }) => id)).toEqual(before);
    expect(after.map(({ distiller }) => distiller)).toEqual(after.map(() => 'anthropic:small'));
    expect(titles(store)).toEqual(['Prices are rounded, not cut']);
    expect(provider.requests()).toHaveLength(1);
    expect(store.listJobs()).toEqual([]);
    expect(store.countModelCalls(0)).toEqual({ calls: 1, tokens: 1_500 });
  });

  test('sends no secret', async () => {
    const [shape] = secretShapes;
    if (!shape) throw new Error('there is no secret');
    const { polish, provider } = await setUp([{ says: BETTER }], { output: shape.text });
    await polish();
    expect(provider.requests()[0]?.whole).not.toContain(shape.secret);
  });

  const outages: [string, Play][] = [
    ['500s', { status: 500 }],
    ['overloaded', { status: 529 }],
    ['half an answer', { half: true }],
    ['no answer', { silent: true }],
  ];
  test.each(outages)(
    '%s: keeps the offline result, and drains the backlog by itself after an hour',
    async (_, play) => {
      const plays: Play[] = [play];
      const settings = 'silent' in play ? { 'model.timeoutSeconds': 0.2 } : {};
      const { store, polish, clock, kinds } = await setUp(plays, { turns: 3, settings });
      const offline = titles(store);
      const end = clock.at + 3_600_000;
      while (clock.at < end) {
        await polish();
        expect(kinds()).toEqual(['polish']);
        clock.at += play && 'silent' in play ? 1_200_000 : 60_000;
      }
      expect(titles(store)).toEqual(offline);
      expect(store.listJobs()).toMatchObject([
        { state: 'waiting' },
        { state: 'waiting' },
        { state: 'waiting' },
      ]);
      plays.push({ says: BETTER });
      for (let tries = 0; tries < 60 && store.listJobs().length > 0; tries++) {
        clock.at += 60_000;
        await polish();
      }
      expect(store.listJobs()).toEqual([]);
      expect(
        store
          .listRecentMemories({ kind: 'summary', limit: 9 })
          .every(({ distiller }) => distiller === 'anthropic:small'),
      ).toBe(true);
    },
  );

  test('429: retries after the requested time, not earlier', async () => {
    const { store, polish, clock, provider } = await setUp(
      [{ status: 429, headers: { 'retry-after': '120' } }, { says: BETTER }],
      { turns: 2 },
    );
    await polish();
    clock.at += 119_000;
    expect(await polish()).toBe(false);
    expect(provider.requests()).toHaveLength(1);
    clock.at += 2_000;
    while (await polish());
    expect(store.listJobs()).toEqual([]);
  });

  test("redacts secrets in a server's errors and answers", async () => {
    const [shape] = secretShapes;
    if (!shape) throw new Error('there is no secret');
    for (const play of [
      { status: 400, error: { message: shape.text } },
      { says: `no JSON: ${shape.text}` },
    ]) {
      const { paths, polish, store, clock } = await setUp([play]);
      for (let round = 0; round < 4; round++, clock.at += 3_600_000) await polish();
      expect(store.listJobs()).toMatchObject([{ error: expect.any(String) }]);
      expect(findLeaks(paths.home, [shape])).toEqual([]);
    }
  });

  test('stops after a rejected key, and reports the problem', async () => {
    const { paths, store, polish, provider, kinds, clock } = await setUp([{ status: 401 }], { turns: 2 });
    await polish();
    clock.at += 3_600_000;
    expect(await polish()).toBe(false);
    expect(provider.requests()).toHaveLength(1);
    expect(kinds()).toEqual([]);
    expect(readModelProblem(paths)?.why).toContain('ANTHROPIC_API_KEY');
    expect(store.listJobs()).toHaveLength(2);
  });

  test('sends nothing without a model name, and reports the problem', async () => {
    const { paths, polish, provider } = await setUp([{ says: BETTER }], {
      settings: { 'model.provider': 'openai', 'model.name': '' },
    });
    await polish();
    expect(provider.requests()).toEqual([]);
    expect(readModelProblem(paths)?.why).toContain('model.name');
  });

  const nonsense: [string, Play][] = [
    ['wrong JSON', { says: '{"observations": 7}' }],
    ['a refusal', { says: 'I cannot help with that.' }],
    ['an empty answer', { says: '' }],
  ];
  test.each(nonsense)(
    '%s: asks for one repair per attempt, then keeps the offline result for good',
    async (_, play) => {
      const { store, polish, clock, provider } = await setUp([play]);
      const offline = titles(store);
      for (let tries = 0; tries < 10; tries++) {
        await polish();
        clock.at += 600_000;
      }
      expect(titles(store)).toEqual(offline);
      expect(store.listJobs()).toMatchObject([{ state: 'dead', attempts: 3 }]);
      expect(provider.requests()).toHaveLength(6);
    },
  );

  test('stops at the daily budget', async () => {
    const { paths, store, polish, provider } = await setUp([{ says: BETTER }], {
      turns: 3,
      settings: { 'model.dailyCalls': 2 },
    });
    while (await polish());
    expect(provider.requests()).toHaveLength(2);
    expect(store.listJobs()).toHaveLength(1);
    expect(readModelProblem(paths)?.why).toMatch(/budget|day|calls/i);
  });

  test('polishes several turns in one round if concurrency is set', async () => {
    const { store, polish, provider } = await setUp([{ says: BETTER }], {
      turns: 4,
      settings: { 'model.concurrency': 4 },
    });
    await polish();
    expect(provider.requests()).toHaveLength(4);
    expect(store.listJobs()).toEqual([]);
  });
});
