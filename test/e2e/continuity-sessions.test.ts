import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { worksIn } from '../support/contexts.ts';
import { bash, waitFor } from '../support/shell-turns.ts';
import { until } from '../support/until.ts';
import { CLI, cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** Tasks, handoffs and work items of one session of the real client reach the next one. */

const PLAIN_ANSWER = [{ text: 'Done.' }];

describe.each([
  ['with the worker', {}],
  ['without the worker', { CAIRN_NO_WORKER: '1' }],
])('tasks %s', (_, env) => {
  let world: World;
  let second: SessionRun;
  let third: SessionRun;

  beforeAll(async () => {
    world = await makeConnectedWorld({ env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1', ...env } });
    const create = (subject: string) => ({ tool: 'TaskCreate', input: { subject, description: '' } });
    const update = (taskId: string, status: string) => ({ tool: 'TaskUpdate', input: { taskId, status } });
    await runSession(world, {
      script: {
        main: [
          [create('Prune the apples'), create('Prune the pears'), create('Burn what was cut')],
          [update('1', 'completed'), update('2', 'in_progress')],
          [{ text: 'The apples are pruned.' }],
        ],
      },
      prompts: ['Prune the orchard before spring'],
      settings: { permissions: { allow: ['TaskCreate', 'TaskUpdate'] } },
    });
    second = await runSession(world, {
      script: {
        main: [[{ tool: 'mcp__cairn__tasks', input: { done: [2], add: ['Seal the cuts'] } }], PLAIN_ANSWER],
      },
      prompts: ['go on'],
      settings: { permissions: { allow: ['mcp__cairn__tasks'] } },
    });
    third = await runSession(world, { script: { main: [PLAIN_ANSWER] }, prompts: ['go on'] });
  });
  afterAll(() => world.remove());

  test("of the agent's own list reach the next session", () => {
    const [given = '', ...others] = worksIn(firstRequest(second));
    expect(others).toEqual([]);
    expect(given).toContain('Work in progress: prune-orchard-spring: Prune the orchard before spring (');
    expect(given).toContain(
      ['Tasks:', '[~] 2 Prune the pears', '[ ] 3 Burn what was cut', '[x] 1 Prune the apples'].join('\n'),
    );
  });

  test('changed by our tool reach the session after that', () => {
    const [given = ''] = worksIn(firstRequest(third));
    expect(given).toContain(
      [
        'Tasks:',
        '[ ] 3 Burn what was cut',
        '[ ] 4 Seal the cuts',
        '[x] 1 Prune the apples',
        '[x] 2 Prune the pears',
      ].join('\n'),
    );
  });
});

describe('work items', () => {
  let world: World;
  const sessions: SessionRun[] = [];

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const write = { tool: 'Write', input: { file_path: join(world.project, 'login.txt'), content: '429\n' } };
    const text = 'The login answers 429 after five attempts now. Next: write a test for the sixth attempt.';
    sessions.push(
      await runSession(world, {
        script: { main: [[write], [{ text }]] },
        prompts: ['Throttle the login of the shop: answer 429 after five attempts'],
        settings: { permissions: { allow: ['Write'] } },
      }),
    );
    await until('what is left of it is known', async () => {
      const { nextSteps } = JSON.parse(await cairn(world, 'work', 'show', '--json'));
      return nextSteps || undefined;
    });
    for (const prompts of [
      ['Translate the invoice templates into French'],
      ['Now the throttling of the login again: after how many attempts is it 429?'],
    ])
      sessions.push(await runSession(world, { script: { main: [bash('true'), PLAIN_ANSWER] }, prompts }));
  });
  afterAll(() => world.remove());

  test('a prompt about something else starts another work item', async () => {
    const works = JSON.parse(await cairn(world, 'work', 'list', '--json'));
    expect(works.map(({ name }: { name: string }) => name)).toEqual([
      expect.stringContaining('throttle-login'),
      expect.stringContaining('translate-invoice'),
    ]);
    expect(worksIn(firstRequest(sessions[1]))).toEqual([]);
  });

  test('a prompt about the first one gets its context', () => {
    expect(worksIn(firstRequest(sessions[2]))).toEqual([
      expect.stringMatching(
        /^Work in progress: throttle-login.+Throttle the login of the shop.+^Next: .*sixth attempt/ms,
      ),
    ]);
  });
});

describe('a handoff', () => {
  let world: World;
  let elsewhere: World;
  const runs: SessionRun[] = [];

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const save = `printf '## Next steps\\n- wax the scions\\n' | "${process.execPath}" "${CLI}" handoff save -`;
    await runSession(world, {
      script: { main: [bash(save), [{ text: 'Handed off.' }]] },
      prompts: ['Graft the pear trees of the orchard'],
    });
    const folder = join(world.root, 'pears');
    execFileSync('git', ['worktree', 'add', '-q', '-b', 'pears', folder], {
      cwd: world.project,
      env: world.env,
    });
    elsewhere = { ...world, project: folder };
    for (const prompts of [['Translate the invoice templates into French'], ['go on'], ['go on']])
      runs.push(await runSession(elsewhere, { script: { main: [PLAIN_ANSWER] }, prompts }));
  });
  afterAll(() => world.remove());

  test('is not used up by a session about something else', async () => {
    expect(worksIn(firstRequest(runs[0])).join()).toContain('Handed off (1, ');
    const { name } = JSON.parse(await cairn(elsewhere, 'work', 'show', '--json'));
    expect(name).toBe('graft-pear-trees-orchard');
  });

  test('reaches the next session, in another worktree', () => {
    const [given = ''] = worksIn(firstRequest(runs[1]));
    expect(given).toContain('Work in progress: graft-pear-trees');
    expect(given).toMatch(/Handed off \(1, \d{4}-\d\d-\d\d, by the agent\):\n/);
    expect(given).toContain('Next: wax the scions');
  });

  test('does not reach the session after that', () => {
    expect(worksIn(firstRequest(runs[2])).join()).not.toContain('Handed off');
  });

  test('is given only once if a person resumes it', async () => {
    await cairn(elsewhere, 'handoff', 'save', 'mind the frost');
    expect(await cairn(elsewhere, 'handoff', 'resume')).toContain('mind the frost');
    await expect(cairn(elsewhere, 'handoff', 'resume')).rejects.toThrow(
      /taken already|no (pending )?handoff/i,
    );
    const after = await runSession(elsewhere, { script: { main: [PLAIN_ANSWER] }, prompts: ['go on'] });
    expect(worksIn(firstRequest(after)).join()).not.toContain('mind the frost');
  });
});

describe('two sessions at once', () => {
  let world: World;
  let other: SessionRun;
  let broken: string[];

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const tasks = (words: string) =>
      Array.from({ length: 6 }, (_, at) => bash(`"${process.execPath}" "${CLI}" tasks add ${words} ${at}`));
    const watch = watchStateFiles(join(world.home, '.cairn/works'));
    await runSession(world, {
      script: { main: [...tasks('throttle'), PLAIN_ANSWER] },
      prompts: ['Throttle the login of the shop'],
      // The first session is still open.
      whenAnswered: async () => {
        other = await runSession(world, { script: { main: [PLAIN_ANSWER] }, prompts: ['hello'] });
        await Promise.all(
          ['Translate the invoice templates', 'Measure how long the build takes'].map((prompt, at) =>
            runSession(world, { script: { main: [...tasks(`job ${at}`), PLAIN_ANSWER] }, prompts: [prompt] }),
          ),
        );
      },
    });
    broken = await watch.stop();
  });
  afterAll(() => world.remove());

  test('the second one learns that the first is active', () => {
    expect(worksIn(firstRequest(other))).toEqual([
      expect.stringContaining('Another session worked on it a moment ago and has not ended'),
    ]);
  });

  test('each has its own work item and tasks, also in the state files', () => {
    const folder = join(world.home, '.cairn/works');
    const states = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => JSON.parse(readFileSync(join(folder, name, 'state.json'), 'utf8')))
      .map(({ name, tasks }) => ({ name, tasks: tasks.map(({ subject }: { subject: string }) => subject) }));
    const six = (words: string) => Array.from({ length: 6 }, (_, at) => `${words} ${at}`);
    expect(states).toEqual([
      { name: expect.stringContaining('measure'), tasks: six('job 1') },
      { name: expect.stringContaining('throttle-login'), tasks: six('throttle') },
      { name: expect.stringContaining('translate-invoice'), tasks: six('job 0') },
    ]);
  });

  test('a reader never sees a partial state file', () => {
    expect(broken).toEqual([]);
  });
});

describe('a compaction in the middle of a turn', () => {
  let world: World;
  let run: SessionRun;
  const UNTIL_LEARNT = waitFor(`"${process.execPath}" "${CLI}" recent --json | grep -q faster`, {
    tries: 100,
  });
  const DECIDED = 'Whip grafts are used, because they heal faster than cleft grafts';

  beforeAll(async () => {
    world = await makeConnectedWorld();
    run = await runSession(world, {
      script: {
        main: [
          [{ tool: 'mcp__cairn__tasks', input: { add: ['Graft row two', 'Wax the scions'] } }],
          [{ text: `Row one is grafted.\n\nDecision: ${DECIDED}.` }],
          // When the decision is stored, the client finds its window full.
          [...bash(UNTIL_LEARNT), { windowTokens: 190_000 }],
          [{ text: 'Row two is grafted.' }],
        ],
      },
      prompts: ['Graft the pear trees of the orchard', 'and row two now'],
      args: ['--model', 'claude-sonnet-4-6'],
      settings: { permissions: { allow: ['Bash', 'mcp__cairn__tasks'] } },
    });
  });
  afterAll(() => world.remove());

  test('gets a list of what to keep', () => {
    const asked = run.requests.find(({ queue }) => queue === 'compact')?.body.messages;
    const text = JSON.stringify(asked);
    for (const kept of [
      'Keep everything in this list',
      '[ ] 1 Graft row two',
      '[ ] 2 Wax the scions',
      DECIDED,
    ])
      expect(text).toContain(kept);
  });

  test('is followed by a context with tasks and decisions', () => {
    const [given = '', ...others] = worksIn(run.requests.at(-1)?.body.messages);
    expect(others).toEqual([]);
    for (const kept of ['[ ] 1 Graft row two', '[ ] 2 Wax the scions', DECIDED])
      expect(given).toContain(kept);
  });

  test('discards the handoff that was saved because the window was full', async () => {
    const states = JSON.parse(await cairn(world, 'handoff', 'list', '--all', '--json'));
    expect(states.map(({ by, state }: { by: string; state: string }) => ({ by, state }))).toEqual([
      { by: 'meter', state: 'discarded' },
    ]);
  });
});

/** Reads every state file repeatedly, as an editor or another tool might. */
function watchStateFiles(folder: string): { stop(): Promise<string[]> } {
  const broken: string[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      for (const path of jsonFilesIn(folder)) {
        try {
          JSON.parse(readFileSync(path, 'utf8'));
        } catch (error) {
          if (error instanceof SyntaxError) broken.push(`${path}: ${error.message}`);
        }
      }
      await pause(20);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return broken;
    },
  };
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => join(folder, path));
  } catch {
    return [];
  }
}

function firstRequest(run: SessionRun | undefined): unknown {
  return run?.requests.find(({ queue }) => queue === 'main')?.body.messages;
}
