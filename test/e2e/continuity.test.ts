import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATA_SENTENCE } from '../../src/model/framed.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { type ClientScreen, openScreen } from '../support/claude-code-screen.ts';
import { worksIn } from '../support/contexts.ts';
import { acceptPlan, planning, refusePlan } from '../support/planning.ts';
import type { ModelRequest } from '../support/scripted-model.ts';
import { bash } from '../support/shell-turns.ts';
import { until } from '../support/until.ts';
import { CLI, cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** Work in progress survives /clear and a compaction, in the real client on a screen. */

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const PLAN = `# Throttle the login

## Steps

1. Count attempts in Redis
2. Answer 429 after five
3. Write the tests
`;
/** Stored text of several lines is quoted: none of its lines can pass for one of ours. */
const QUOTED_PLAN = PLAN.trim()
  .split('\n')
  .map((line) => `> ${line}`.trimEnd())
  .join('\n');
const DECISION = 'Attempts are counted in Redis, because several servers must share them.';

describe.runIf(hasTmux)('an accepted plan that is half done', () => {
  let world: World;
  let screen: ClientScreen;
  let afterClear: ModelRequest;
  let compaction: ModelRequest;
  let afterCompaction: ModelRequest;

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const file = join(world.project, 'src/attempts.ts');
    screen = await openScreen(world, {
      script: {
        main: [
          ...planning('# Throttle\n\n1. Count attempts in a map\n2. Forget them at a restart\n'),
          ...planning(PLAN),
          [{ tool: 'Write', input: { file_path: file, content: 'export const most = 5;\n' } }],
          bash(`"${process.execPath}" "${CLI}" tasks done 1`),
          [{ text: `The first step is done.\n\nDecision: ${DECISION}` }],
          [{ text: 'The second step is next.' }],
          [{ text: 'Still the second step.' }],
        ],
      },
      args: ['--permission-mode', 'plan'],
    });
    await screen.shows('plan mode on');
    await screen.type('Throttle the login of the shop');
    await refusePlan(screen);
    await screen.type('not in a map: a restart must not forget them');
    await acceptPlan(screen);
    await screen.shows('The first step is done.');
    await until('the decision is learnt', async () => {
      const learnt = await cairn(world, 'recent', '--json');
      return learnt.includes('counted in Redis') || undefined;
    });

    await screen.type('/clear');
    await screen.shows(/gave the agent the work item/);
    await screen.type('go on');
    await screen.shows('The second step is next.');
    afterClear = lastOf('main');

    await screen.type('/compact');
    await until('the conversation is compacted', () =>
      screen.requests().find(({ queue }) => queue === 'compact'),
    );
    await screen.shows(/Compacted/);
    await screen.type('and now?');
    await screen.shows('Still the second step.');
    compaction = lastOf('compact');
    afterCompaction = lastOf('main');
  });

  afterAll(async () => {
    await screen?.close();
    await world?.remove();
  });

  test('returns after /clear, with finished and open steps, once', () => {
    const given = worksIn(afterClear.body.messages);
    expect(given).toHaveLength(1);
    // The first version was rejected: nothing of it returns.
    // Memories follow in the same frame.
    const [work = ''] = given[0]?.split('\nWhat Cairn remembers') ?? [];
    expect(work.split('\n').slice(1)).toEqual([
      DATA_SENTENCE,
      expect.stringMatching(
        /^Work in progress: throttle-login-shop: Throttle the login \(on main, 1 of 3 tasks done, /,
      ),
      expect.stringMatching(/^Check it against the current state/),
      expect.stringMatching(/^Plan, version 2, accepted \d{4}-\d\d-\d\d:$/),
      ...QUOTED_PLAN.split('\n'),
      'Tasks:',
      '[ ] 2 Answer 429 after five',
      '[ ] 3 Write the tests',
      '[x] 1 Count attempts in Redis',
      'Decided:',
      expect.stringContaining('Redis'),
      expect.stringMatching(/^Mark tasks as done: /),
    ]);
  });

  test('is among what the compaction has to keep', () => {
    const asked = JSON.stringify(compaction.body.messages);
    for (const kept of [
      'Keep everything in this list',
      '(work throttle-login-shop)',
      '[ ] 2 Answer 429 after five',
      'what is done: Count attempts in Redis',
      'decisions and their reasons',
    ])
      expect(asked).toContain(kept);
  });

  test('returns after the compaction', () => {
    const [given = '', ...others] = worksIn(afterCompaction.body.messages);
    expect(others).toEqual([]);
    for (const kept of [QUOTED_PLAN, '[ ] 2 Answer 429', '[x] 1 Count attempts', 'Decided:\n- '])
      expect(given).toContain(kept);
  });

  function lastOf(wanted: string): ModelRequest {
    return lastRequest(screen, wanted);
  }
});

describe.runIf(hasTmux)('a plan during which the client was killed', () => {
  let world: World;
  let next: SessionRun;

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const file = join(world.project, 'src/attempts.ts');
    const screen = await openScreen(world, {
      script: {
        main: [
          ...planning(PLAN),
          [{ tool: 'Write', input: { file_path: file, content: 'export const most = 5;\n' } }],
          bash('touch ../begun; sleep 30'),
        ],
      },
      args: ['--permission-mode', 'plan'],
    });
    try {
      await screen.shows('plan mode on');
      await screen.type('Throttle the login of the shop');
      await acceptPlan(screen);
      await until('the second step has begun', () => existsSync(join(world.root, 'begun')) || undefined);
      await screen.kill();
    } finally {
      await screen.close();
    }
    next = await runSession(world, { script: { main: [[{ text: 'On with it.' }]] }, prompts: ['go on'] });
  });
  afterAll(() => world?.remove());

  test('reaches the next session, without a warning that another session is active', () => {
    const [first] = next.requests;
    const [given = '', ...others] = worksIn(first?.body.messages);
    expect(others).toEqual([]);
    expect(given).toContain(QUOTED_PLAN);
    expect(given).toContain('[ ] 1 Count attempts in Redis');
    expect(given).not.toContain('Another session worked on it a moment ago');
  });
});

describe.runIf(hasTmux)('a handoff that a person requests', () => {
  let world: World;
  let screen: ClientScreen;
  let shown: string;

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const words = { state: 'Row one is grafted.', nextSteps: 'wax the scions', note: 'mind the frost' };
    screen = await openScreen(world, {
      script: {
        main: [
          [{ text: 'Row one is grafted.' }],
          [{ tool: 'mcp__cairn__handoff', input: words }],
          [{ text: 'Saved: after a clear it goes on from there.' }],
          [{ text: 'Waxing now.' }],
        ],
      },
    });
    await screen.shows('? for shortcuts');
    await screen.type('Graft the pear trees of the orchard');
    await screen.shows('Row one is grafted.');
    await screen.type('/cairn:handoff mind the frost');
    await screen.shows('Saved: after a clear it goes on from there.');
    shown = await screen.text();
    await screen.type('/clear');
    await screen.shows(/gave the agent the work item/);
    await screen.type('go on');
    await screen.shows('Waxing now.');
  });
  afterAll(async () => {
    await screen?.close();
    await world?.remove();
  });

  test('is a command on the screen', () => {
    expect(shown).toContain('/cairn:handoff mind the frost');
    expect(shown).toMatch(/cairn.*handoff/);
  });

  test('is at the beginning of the conversation after /clear', () => {
    const [given = '', ...others] = worksIn(lastRequest(screen, 'main').body.messages);
    expect(others).toEqual([]);
    expect(given).toContain('Work in progress: graft-pear-trees-orchard: ');
    expect(given).toMatch(/\nHanded off \(1, [-\d]+, by the agent\):\n/);
    expect(given).toContain('\nNote: mind the frost\nNext: wax the scions\nState: Row one is grafted.\n');
  });
});

function lastRequest(screen: ClientScreen, wanted: string): ModelRequest {
  const request = screen.requests().findLast(({ queue }) => queue === wanted);
  if (!request) throw new Error(`there was no request: ${wanted}`);
  return request;
}
