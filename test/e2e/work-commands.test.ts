import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { packageRoot } from '../../src/platform/installation.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { runProgram } from '../support/hook-call.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** `cairn work`, `plan`, `tasks` and `handoff`, called by a person and by an agent in its shell. */

let paths: Paths;
let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  const home = tempFolder();
  folder = makeRepository(join(home, 'orchard'));
  paths = pathsOf(join(home, '.cairn'));
  mkdirSync(paths.spool, { recursive: true });
  env = { PATH: process.env.PATH ?? '', HOME: home, CAIRN_NO_WORKER: '1' };
  spool('first', 'UserPromptSubmit', { prompt: 'Graft the pear trees', permission_mode: 'default' });
});

const PLAN = '# Pears\n\n1. Cut the scions\n2. Bind them';
const PLAN_2 = '# Pears\n\n1. Cut the scions\n2. Bind them\n3. Wax them';

describe('work items', () => {
  test('are listed and shown', async () => {
    expect(await lines('work')).toEqual(['  graft-pear-trees  Graft the pear trees  active  just now']);
    expect(await json('work', 'list')).toMatchObject([
      { name: 'graft-pear-trees', mode: 'active', tasks: 0 },
    ]);
    expect(await lines('work', 'show')).toEqual([
      'graft-pear-trees · Graft the pear trees',
      'orchard · active · main',
      'opened just now, changed just now, 1 session',
      '',
      `Files: ${join(paths.works, 'graft-pear-trees')}`,
    ]);
    expect(await json('work', 'show')).toMatchObject({ name: 'graft-pear-trees', sessions: [{ by: 'new' }] });
  });

  test('are created, renamed, closed and reopened, and are still found by an old name', async () => {
    expect(await lines('work', 'new', 'water', 'the', 'figs')).toEqual([
      'Created work item water-figs: water the figs',
    ]);
    expect(await lines('work', 'rename', 'water-figs', 'figs')).toEqual(['Renamed to figs: water the figs']);
    expect(await lines('work', 'note', 'water-figs', 'at', 'dusk')).toEqual(['Added a note to figs.']);
    expect(await lines('work', 'close', 'water-figs')).toEqual([
      'Closed figs: water the figs. Undo: cairn work reopen figs',
    ]);
    expect(await lines('work', 'close', 'figs')).toEqual(['figs is already closed.']);
    expect(await json('work', 'list')).toMatchObject([{ name: 'graft-pear-trees' }]);
    expect((await lines('work', 'list', '--closed'))[0]).toMatch(/^ {2}figs {2}water the figs {2}closed/);
    expect(await lines('work', 'reopen', 'figs')).toEqual(['Reopened figs: water the figs']);
    expect(index()).toEqual(['figs', 'graft-pear-trees']);
  });

  test('can be created where no agent has worked yet', async () => {
    folder = makeRepository(join(tempFolder(), 'meadow'));
    expect((await cairn(['tasks', 'add', 'mow'])).stderr).toMatch(/^cairn: Nothing was captured/);
    await lines('work', 'new', 'mow', 'the', 'meadow');
    await lines('tasks', 'add', 'sharpen', 'the', 'scythe');
    expect(await json('work', 'list')).toMatchObject([{ name: 'mow-meadow', tasks: 1 }]);
  });

  test('belong to the session of the shell, and can be switched', async () => {
    await lines('work', 'new', 'water', 'the', 'figs');
    expect(await lines('work', 'switch', 'water-figs')).toEqual([
      'Session first now works on water-figs: water the figs',
    ]);
    spool('second', 'UserPromptSubmit', { prompt: 'Mend the northern fence', permission_mode: 'default' });
    const { stderr } = await cairn(['work', 'switch', 'graft-pear-trees']);
    expect(stderr).toMatch(/^cairn: Missing session\. Open sessions: .+\. Choose one with --session\.\n$/);
    await lines('work', 'switch', 'graft-pear-trees', '--session', 'first');
    env.CLAUDE_CODE_SESSION_ID = 'second';
    expect(await json('work', 'show')).toMatchObject({ name: 'mend-northern-fence' });
    expect(await json('work', 'switch', 'water-figs')).toMatchObject({ name: 'water-figs', mode: 'active' });
    expect((await lines('work')).filter((line) => line.startsWith('*'))).toHaveLength(1);
    env.CLAUDE_CODE_SESSION_ID = 'unheard-of';
    expect((await cairn(['work', 'note', 'x'])).stderr).toMatch(
      /^cairn: This session has no work item yet\./,
    );
  });

  test('are read back when edited by hand, and a broken edit is reported', async () => {
    await lines('work');
    const file = join(paths.works, 'graft-pear-trees/state.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...state, title: 'Graft all', tasks: ['cut'] }));
    expect((await lines('tasks'))[0]).toBe('graft-pear-trees · Graft all');
    writeFileSync(file, '{');
    const { stdout, stderr } = await cairn(['work']);
    expect(stderr).toMatch(
      /^Cairn: your edit of the work item "graft-pear-trees" could not be read: it is not JSON/,
    );
    expect(stdout).toMatch(/Graft all {2}active 0\/1 tasks/);
  });
});

describe('plans', () => {
  beforeEach(() => plan(PLAN));

  test('are shown, listed and compared in all versions', async () => {
    expect(await lines('plan')).toEqual([
      'Plan of graft-pear-trees, version 1, accepted, just now',
      '',
      ...PLAN.split('\n'),
    ]);
    plan(PLAN_2);
    expect(await lines('plan', 'list')).toEqual([
      'Plan of graft-pear-trees, version 2, accepted, just now',
      'Plan of graft-pear-trees, version 1, replaced, just now',
    ]);
    expect(await lines('plan', 'diff')).toEqual([
      '--- version 1 (replaced)',
      '+++ version 2 (accepted)',
      '@@ -2,3 +2,4 @@',
      ' ',
      ' 1. Cut the scions',
      ' 2. Bind them',
      '+3. Wax them',
    ]);
    expect(await json('plan', 'diff', 'graft-pear-trees', '2', 'v1')).toMatchObject({ from: 2, to: 1 });
    expect(await json('plan', 'show', '--version', '1')).toMatchObject({ version: 1, text: PLAN });
    expect(await lines('plan', 'done')).toEqual(['The plan of graft-pear-trees (version 2) is done.']);
    expect(await json('plan')).toMatchObject({ version: 2, state: 'finished' });
  });

  test('have steps, which are tasks', async () => {
    expect(await lines('tasks')).toEqual([
      'graft-pear-trees · Pears',
      '[ ]  1. Cut the scions  just now',
      '[ ]  2. Bind them  just now',
    ]);
    expect(await lines('tasks', 'add', 'label', 'the', 'trees')).toEqual([
      'Task 3 of graft-pear-trees: label the trees',
    ]);
    expect(await lines('tasks', 'done', '1', '2')).toEqual([
      '[x]  1. Cut the scions  just now',
      '[x]  2. Bind them  just now',
    ]);
    expect(await json('plan')).toMatchObject({ state: 'finished' });
    await lines('tasks', 'drop', '3');
    await lines('tasks', 'reopen', '2');
    expect(await json('tasks')).toMatchObject([{ state: 'done' }, { state: 'open' }]);
    expect(await json('tasks', 'graft-pear-trees', '--all')).toMatchObject([{}, {}, { state: 'dropped' }]);
  });
});

describe('handoffs', () => {
  test('pass from one session to another, once', async () => {
    env.CLAUDE_CODE_SESSION_ID = 'first';
    expect(await lines('handoff', 'save', 'mind', 'the', 'rain')).toEqual([
      'Saved handoff graft-pear-trees/1. The next session gets it automatically. Read it: cairn handoff show',
    ]);
    expect((await cairn(['handoff', 'resume'])).stderr).toMatch(/^cairn: This session wrote handoff 1/);
    spool('first', 'SessionEnd', { reason: 'other' });
    expect(await json('work')).toMatchObject([{ mode: 'has_handoff' }]);
    spool('second', 'SessionStart', { source: 'startup' });
    env.CLAUDE_CODE_SESSION_ID = 'second';
    const text = await lines('handoff', 'resume');
    expect(text[2]).toBe('# Handoff 1 of graft-pear-trees: Graft the pear trees');
    expect(text).toContain('mind the rain');
    expect(await json('work')).toMatchObject([{ mode: 'active' }]);
    expect(await json('work', 'show')).toMatchObject({
      name: 'graft-pear-trees',
      handoffs: [{ state: 'taken' }],
    });
    expect(await cairn(['handoff', 'resume'])).toEqual({
      stdout: '',
      stderr: 'cairn: No pending handoffs. Create one: cairn handoff save\n',
      exitCode: 1,
    });
    expect(await lines('handoff', 'show', 'graft-pear-trees/1')).toEqual(text);
  });

  test('can be written on stdin', async () => {
    const save = (input: string) => cairn(['handoff', 'save', '-', '--json'], input);
    const { stdout } = await save('{"goal": "Pears", "nextSteps": ["wax"]}');
    expect(JSON.parse(stdout)).toMatchObject({ parts: { goal: 'Pears', nextSteps: ['wax'] }, by: 'person' });
    expect(JSON.parse((await save('## Decisions\n- no wax\n')).stdout)).toMatchObject({
      number: 2,
      parts: { decisions: ['no wax'] },
    });
    expect(await save('{"mood": 1}')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no part "mood"'),
    });
    expect(await json('handoff')).toMatchObject([
      { number: 2, state: 'staged' },
      { number: 1, state: 'discarded' },
    ]);
    expect(await lines('handoff', 'discard')).toEqual([
      'Discarded graft-pear-trees/2. Read it: cairn handoff show graft-pear-trees/2',
    ]);
    expect(await cairn(['handoff', 'discard'])).toMatchObject({ exitCode: 1 });
  });
});

describe('wrong usage', () => {
  test.each<[string[], string]>([
    [['work', 'shwo'], 'Unknown subcommand: shwo. Did you mean show?\n\nUsage'],
    [
      ['work', 'show', 'graft-pear-tree'],
      'Unknown work item: graft-pear-tree. Did you mean graft-pear-trees?',
    ],
    [['work', 'switch'], 'Missing work item.'],
    [
      ['work', 'switch', 'graft-pear-trees', '--session', 'x'],
      'There is no session x. See: cairn sessions\n',
    ],
    [['work', 'new'], 'Missing title.\n\nUsage'],
    [['work', 'new', '<private>x</private>'], 'The whole text is private.\n'],
    [['work', 'rename', 'graft-pear-trees'], 'Missing new name.\n\nUsage'],
    [['work', 'note'], 'Missing note.\n\nUsage'],
    [['work', 'close', 'graft-pear-trees', 'now'], 'Unexpected argument: now.\n\nUsage'],
    [['work', 'reopen'], 'Missing work item.'],
    [['plan'], 'graft-pear-trees has no plan.\n'],
    [['plan', 'show', '--version', 'x'], 'Not a plan version: x.\n\nUsage'],
    [['plan', 'show', '--version', '3'], 'graft-pear-trees has no plan version 3. See: cairn plan list'],
    [['plan', 'diff'], 'The plan of graft-pear-trees has fewer than two versions.\n'],
    [['plan', 'diff', '1'], 'Missing version: give two to compare, or none.\n\nUsage'],
    [['plan', 'done'], 'graft-pear-trees has no active plan.\n'],
    [['tasks', 'add'], 'Missing task.\n\nUsage'],
    [['tasks', 'done'], 'Missing task number.'],
    [['tasks', 'done', 'first'], 'Not a task number: first.'],
    [['tasks', 'done', '7'], 'graft-pear-trees has no task 7. Nothing was changed. See: cairn tasks\n'],
    [['tasks', 'dne', '7'], 'Unexpected argument: 7.\n\nUsage'],
    [['handoff', 'svae'], 'Unknown subcommand: svae. Did you mean save?\n\nUsage'],
    [['handoff', 'show'], 'No handoffs. Create one: cairn handoff save\n'],
    [['handoff', 'show', '3'], 'There is no handoff 3 of graft-pear-trees. See: cairn handoff list\n'],
    [['handoff', 'save', '-'], 'stdin is empty.\n'],
    [['handoff', 'save', '--work', 'nope'], 'Unknown work item: nope.'],
  ])('cairn %j', async (args, says) => {
    const run = await cairn(args);
    expect(run).toEqual({ stdout: '', stderr: expect.stringContaining(says), exitCode: 1 });
    expect(run.stderr).not.toMatch(/^ {4}at /m);
  });
});

let serial = 0;

describe('raw JSON from any program', () => {
  test('a handoff goes to the first session that starts, which continues the work item', async () => {
    spool('first', 'SessionEnd', { reason: 'other' });
    await lines('handoff', 'save', '--work', 'graft-pear-trees', 'wax is in the shed');
    // A home that was used before: the very first session would get a welcome instead.
    writeFileSync(join(paths.state, 'welcomed'), '');
    const start = await send('session-start', { session: 'r1', source: 'startup' });
    expect(start.context).toContain('Work in progress: graft-pear-trees: Graft the pear trees');
    expect(start.context).toContain('Note: wax is in the shed');
    expect((await send('session-start', { session: 'r2' })).context).not.toContain('wax is in the shed');
    await send('prompt', { session: 'r1', text: 'go on' });
    await send('tool-end', {
      session: 'r1',
      tool: { name: 'tasks', input: { tasks: [{ subject: 'Wax them', state: 'doing' }] } },
    });
    await send('session-end', { session: 'r1' });
    expect(await json('work', 'show')).toMatchObject({
      name: 'graft-pear-trees',
      mode: 'idle',
      sessions: [{ agent: 'raw', agentSession: 'r1', by: 'staged' }, { agentSession: 'first' }],
      tasks: [{ subject: 'Wax them', state: 'doing' }],
    });
  });
});

/** Spools an event as a hook does. Events are ordered by the times of their files. */
function spool(session: string, hook: string, fields: Record<string, unknown>): void {
  const payload = {
    session_id: session,
    cwd: folder,
    hook_event_name: hook,
    transcript_path: '/none',
    ...fields,
  };
  const header = { agent: 'claude-code', hook, via: 'settings', projectDir: folder };
  const name = writeSpoolFile(paths, header, undefined, Buffer.from(JSON.stringify(payload)));
  const seconds = Date.now() / 1000 - 20 + serial++ / 100;
  utimesSync(join(paths.spool, name), seconds, seconds);
}

/** Ends plan mode with an accepted plan. */
function plan(text: string): void {
  const call = { tool_name: 'ExitPlanMode', permission_mode: 'plan' };
  spool('first', 'PermissionRequest', { ...call, tool_input: { plan: text } });
  const id = `call-${serial}`;
  spool('first', 'PostToolUse', { ...call, tool_use_id: id, tool_input: {}, tool_response: { plan: text } });
}

function cairn(args: string[], input = '') {
  return runProgram(process.execPath, [join(packageRoot(), 'dist/cli.mjs'), ...args], {
    cwd: folder,
    env,
    input,
  });
}

async function lines(...args: string[]): Promise<string[]> {
  const { stdout, ...rest } = await cairn(args);
  expect(rest).toEqual({ stderr: '', exitCode: 0 });
  return stdout.trimEnd().split('\n');
}

async function json(...args: string[]): Promise<unknown> {
  return JSON.parse((await lines(...args, '--json')).join('\n'));
}

/** Sends one event as a program that uses raw JSON does. */
async function send(event: string, fields: Record<string, unknown>): Promise<{ context?: string }> {
  const { stdout, exitCode } = await cairn(
    ['hook', 'raw', event],
    JSON.stringify({ cwd: folder, ...fields }),
  );
  expect(exitCode).toBe(0);
  return stdout === '' ? {} : JSON.parse(stdout);
}

function index(): string[] {
  const { works } = JSON.parse(readFileSync(join(paths.works, 'index.json'), 'utf8'));
  return works.map(({ name }: { name: string }) => name);
}
