import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CapturedInput,
  end,
  ingestEvents,
  planAccepted,
  planAsked,
  prompt,
  start,
} from '../../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { findPlace } from '../../capture/place.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { locate } from '../../memory/locate.ts';
import { createLog } from '../../platform/log.ts';
import { pathsOf } from '../../platform/paths.ts';
import { handoff } from './handoff.ts';
import { tasks } from './tasks.ts';
import { NO_SESSION, type Tool, type ToolContext } from './tool.ts';

const NOON = Date.UTC(2026, 10, 15, 12, 0);
const PLAN = '# Throttle the login\n\n1. Count attempts in Redis\n2. Answer 429 after five\n';

let home: string;
let folder: string;
let store: PlainStore;
let minute: number;

beforeEach(() => {
  home = tempFolder();
  folder = tempFolder();
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  store = openPlainStore(join(home, 'cairn.db'));
  minute = 0;
});
afterEach(() => store.close());

describe('tasks', () => {
  test('are those of the work that this session has', async () => {
    hear('one', prompt('throttle the login of the shop'));
    expect(await call(tasks, 'one', { add: ['Count attempts', 'Answer 429'], doing: [] })).toBe(
      'throttle-login-shop: 0 of 2 tasks done\n[ ] 1 Count attempts\n[ ] 2 Answer 429',
    );
    expect(await call(tasks, 'one', { doing: [2], done: ['1'] })).toBe(
      'throttle-login-shop: 1 of 2 tasks done\n[x] 1 Count attempts\n[~] 2 Answer 429',
    );
    expect(await call(tasks, 'one', { drop: 2 })).toBe(
      'throttle-login-shop: 1 of 1 task done\n[x] 1 Count attempts',
    );
    expect(await call(tasks, 'one', {})).toBe('throttle-login-shop: 1 of 1 task done\n[x] 1 Count attempts');
    expect(existsSync(join(home, 'works/throttle-login-shop/state.json'))).toBe(true);
  });

  test('open one only once, and without what is secret or private', async () => {
    hear('one', prompt('throttle the login of the shop'));
    await call(tasks, 'one', { add: ['Write the tests'] });
    expect(
      await call(tasks, 'one', { add: ['write tests', 'Ask <private>Kim</private> for the limit'] }),
    ).toBe(
      'throttle-login-shop: 0 of 2 tasks done\n[ ] 1 Write the tests\n[ ] 2 Ask [private] for the limit',
    );
    await expect(call(tasks, 'one', { add: ['<private>Kim</private>'] })).rejects.toThrow(
      'Nothing was changed: one of the tasks to add is empty or private.',
    );
  });

  test('with the last step its plan is finished', async () => {
    hear('one', prompt('throttle the login of the shop', 'plan'), planAsked(PLAN), planAccepted(PLAN));
    expect(await call(tasks, 'one', {})).toContain('[ ] 2 Answer 429 after five');
    await call(tasks, 'one', { done: [1, 2] });
    expect(store.listPlans(1).map(({ state }) => state)).toEqual(['finished']);
  });

  test('a wrong number changes nothing', async () => {
    hear('one', prompt('throttle the login of the shop'));
    await call(tasks, 'one', { add: ['Count attempts'] });
    await expect(call(tasks, 'one', { done: [1, 7], add: ['More'] })).rejects.toThrow(
      'throttle-login-shop has no task 7. Nothing was changed.\nIt has:\n[ ] 1 Count attempts',
    );
    expect(store.listTasks(1).map(({ state }) => state)).toEqual(['open']);
  });

  test('begin a work where this session has none', async () => {
    hear('one', start(), prompt('/cairn:tasks'));
    expect(await call(tasks, 'one', {})).toBe(
      'This session has no work item yet, so it has no tasks. Use add to create one.',
    );
    await expect(call(tasks, 'one', { done: [1], add: ['Graft the pear rows'] })).rejects.toThrow(
      'This session has no work item yet',
    );
    expect(await call(tasks, 'one', { add: ['Graft the pear rows'] })).toBe(
      'graft-pear-rows: 0 of 1 task done\n[ ] 1 Graft the pear rows',
    );
    expect(store.findSessionWorkItem('one')).toMatchObject({
      name: 'graft-pear-rows',
      mode: 'active',
      branch: 'main',
    });
  });

  test('for a client that does not say which session it is, the last work here', async () => {
    hear('one', prompt('throttle the login of the shop'), end());
    expect(await call(tasks, NO_SESSION, { add: ['Count attempts'] })).toContain(
      'throttle-login-shop: 0 of 1',
    );
    expect(store.findSessionWorkItem(NO_SESSION)).toBeNull();
  });

  test('say so where nothing was captured yet', async () => {
    await expect(call(tasks, 'one', { add: ['Graft the pear rows'] })).rejects.toThrow(
      'Nothing was captured in this project yet',
    );
  });
});

describe('handoff', () => {
  test('is saved in the words of the agent, part by part, and given to one other session', async () => {
    hear('one', prompt('throttle the login of the shop'));
    const said = await call(handoff, 'one', {
      state: 'Attempts are counted.',
      decisions: 'Redis, because several servers share it\nFive attempts, as the law wants it',
      deadEnds: '- memory of the process:\n  lost at each deploy\n- nginx: too coarse',
      files: ['src/attempts.ts: counts', 'README.md'],
      nextSteps: ['Answer 429'],
    });
    expect(said).toBe(
      'Saved handoff 1 of throttle-login-shop. The next session gets it by itself, once: the person may clear or close this one. Nothing is known of: questions; save again to add it.',
    );
    expect(store.getHandoff(1)?.parts).toEqual({
      goal: 'throttle the login of the shop',
      state: 'Attempts are counted.',
      decisions: ['Redis, because several servers share it', 'Five attempts, as the law wants it'],
      deadEnds: ['memory of the process: lost at each deploy', 'nginx: too coarse'],
      files: [
        { path: 'src/attempts.ts', what: 'counts' },
        { path: 'README.md', what: '' },
      ],
      questions: [],
      nextSteps: ['Answer 429'],
      note: '',
    });

    await expect(call(handoff, 'one', { action: 'resume' })).rejects.toThrow('This session wrote handoff 1');
    hear('one', end());
    const inputs = await call(handoff, 'two', { action: 'resume' });
    expect(inputs).toMatch(
      /^Check it against the current state before you continue\.\n\n# Handoff 1 of throttle-login-shop: /,
    );
    expect(inputs).toContain(
      '## Dead ends\n\n- memory of the process: lost at each deploy\n- nginx: too coarse\n',
    );
    expect(await call(handoff, 'two', { action: 'resume' })).toBe(inputs);
    expect(store.findSessionWorkItem('two')).toMatchObject({ id: 1, mode: 'active' });
    await expect(call(handoff, 'three', { action: 'resume' })).rejects.toThrow(
      'No pending handoffs in this project.',
    );
  });

  test('of several, the one that is named, else the one of this branch', async () => {
    hear('one', prompt('throttle the login of the shop'));
    await call(handoff, 'one', {});
    hear('two', prompt('graft the pear rows in spring'));
    await call(handoff, 'two', {});
    store.changeWorkItem(2, { branch: 'pears' }, NOON);
    const first = await call(handoff, 'three', { action: 'resume' });
    expect(first).toContain('# Handoff 1 of throttle-login-shop');
    expect(first).toMatch(/Also waiting \(name the work to get it\): graft-pear-rows-spring$/);
    expect(await call(handoff, 'three', { action: 'resume', work: 'graft-pear-rows-spring' })).toContain(
      '# Handoff 1 of graft-pear-rows-spring',
    );
    await expect(call(handoff, 'three', { action: 'resume', work: 'apples' })).rejects.toThrow(
      'There is no work item "apples". Open here: graft-pear-rows-spring, throttle-login-shop.',
    );
  });

  test('begins a work with its goal where this session has none', async () => {
    hear('one', start());
    await expect(call(handoff, 'one', { note: 'x' })).rejects.toThrow(
      'This session has no work item yet. Pass a goal, or name a work item.',
    );
    expect(await call(handoff, 'one', { goal: 'Graft the pear rows' })).toContain(
      'Saved handoff 1 of graft-pear-rows.',
    );
  });

  test('keeps no secrets', async () => {
    hear('one', prompt('throttle the login of the shop'));
    await call(handoff, 'one', { note: 'The key is AKIAIOSFODNN7EXAMPLE, <private>Kim</private> knows' });
    expect(store.getHandoff(1)?.parts.note).toMatch(/^The key is \[redacted:[\w-]+\], \[private\] knows$/);
  });
});

function hear(session: string, ...events: CapturedInput['event'][]): void {
  const place = findPlace(folder);
  ingestEvents(store, ...events.map((event) => ({ session, at: NOON + minute++ * 60_000, event, place })));
}

async function call(tool: Tool, session: string, args: unknown): Promise<string> {
  const env = readEnvironment({ HOME: home });
  const { settings } = loadSettings(pathsOf(home).config, env);
  const paths = pathsOf(home);
  const call: ToolContext = {
    ...{ store, paths, settings, env, ...locate(store, folder) },
    log: createLog({ folder: paths.logs, level: 'off', from: 'test' }),
    now: () => NOON + minute++ * 60_000,
    agent: 'claude-code',
    agentSession: session,
  };
  return (await tool.run(args, call)).text;
}
