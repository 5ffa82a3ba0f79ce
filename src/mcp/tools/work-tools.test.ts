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
  test("are those of the session's work item", async () => {
    capture('one', prompt('throttle the login of the shop'));
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

  test('are added once, redacted and without private text', async () => {
    capture('one', prompt('throttle the login of the shop'));
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

  test('finishing the last step finishes the plan', async () => {
    capture('one', prompt('throttle the login of the shop', 'plan'), planAsked(PLAN), planAccepted(PLAN));
    expect(await call(tasks, 'one', {})).toContain('[ ] 2 Answer 429 after five');
    await call(tasks, 'one', { done: [1, 2] });
    expect(store.listPlans(1).map(({ state }) => state)).toEqual(['finished']);
  });

  test('an unknown task number changes nothing', async () => {
    capture('one', prompt('throttle the login of the shop'));
    await call(tasks, 'one', { add: ['Count attempts'] });
    await expect(call(tasks, 'one', { done: [1, 7], add: ['More'] })).rejects.toThrow(
      'throttle-login-shop has no task 7. Nothing was changed.\nIt has:\n[ ] 1 Count attempts',
    );
    expect(store.listTasks(1).map(({ state }) => state)).toEqual(['open']);
  });

  test('adding one creates a work item for a session without one', async () => {
    capture('one', start(), prompt('/cairn:tasks'));
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

  test('without a session id belong to the last work item of the project', async () => {
    capture('one', prompt('throttle the login of the shop'), end());
    expect(await call(tasks, NO_SESSION, { add: ['Count attempts'] })).toContain(
      'throttle-login-shop: 0 of 1',
    );
    expect(store.findSessionWorkItem(NO_SESSION)).toBeNull();
  });

  test('need captured events in the project', async () => {
    await expect(call(tasks, 'one', { add: ['Graft the pear rows'] })).rejects.toThrow(
      'Nothing was captured in this project yet',
    );
  });
});

describe('handoff', () => {
  test("is saved in the agent's words, part by part, and given to one other session", async () => {
    capture('one', prompt('throttle the login of the shop'));
    const saved = await call(handoff, 'one', {
      state: 'Attempts are counted.',
      decisions: 'Redis, because several servers share it\nFive attempts, as the law wants it',
      deadEnds: '- memory of the process:\n  lost at each deploy\n- nginx: too coarse',
      files: ['src/attempts.ts: counts', 'README.md'],
      nextSteps: ['Answer 429'],
    });
    expect(saved).toBe(
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
    capture('one', end());
    const document = await call(handoff, 'two', { action: 'resume' });
    expect(document).toMatch(
      /^Check it against the current state before you continue\.\n\n# Handoff 1 of throttle-login-shop: /,
    );
    expect(document).toContain(
      '## Dead ends\n\n- memory of the process: lost at each deploy\n- nginx: too coarse\n',
    );
    expect(await call(handoff, 'two', { action: 'resume' })).toBe(document);
    expect(store.findSessionWorkItem('two')).toMatchObject({ id: 1, mode: 'active' });
    await expect(call(handoff, 'three', { action: 'resume' })).rejects.toThrow(
      'No pending handoffs in this project.',
    );
  });

  test('of several, returns the named one, else that of the current branch', async () => {
    capture('one', prompt('throttle the login of the shop'));
    await call(handoff, 'one', {});
    capture('two', prompt('graft the pear rows in spring'));
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

  test('with a goal creates a work item for a session without one', async () => {
    capture('one', start());
    await expect(call(handoff, 'one', { note: 'x' })).rejects.toThrow(
      'This session has no work item yet. Pass a goal, or name a work item.',
    );
    expect(await call(handoff, 'one', { goal: 'Graft the pear rows' })).toContain(
      'Saved handoff 1 of graft-pear-rows.',
    );
  });

  test('contains neither secrets nor private text', async () => {
    capture('one', prompt('throttle the login of the shop'));
    await call(handoff, 'one', { note: 'The key is AKIAIOSFODNN7EXAMPLE, <private>Kim</private> knows' });
    expect(store.getHandoff(1)?.parts.note).toMatch(/^The key is \[redacted:[\w-]+\], \[private\] knows$/);
  });
});

function capture(session: string, ...events: CapturedInput['event'][]): void {
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
