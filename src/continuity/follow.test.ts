import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CapturedInput,
  call,
  end,
  ingestEvents,
  ORCHARD,
  planAccepted,
  planAsked,
  prompt,
  start,
} from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import type { Handoff, HandoffParts } from '../model/work.ts';
import { createLog, type Log } from '../platform/log.ts';
import { followEvents } from './follow.ts';
import { changeMode, closeWorkItem } from './work-items/work-items.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T10:00:00Z');

let folder: string;
let store: PlainStore;
let log: Log;
let clock: number;

beforeEach(() => {
  folder = tempFolder();
  store = openPlainStore(join(folder, 'cairn.db'));
  log = createLog({ folder: join(folder, 'logs'), from: 'test' });
  clock = START;
});

afterEach(() => store.close());

/** Ingests events one second apart, then follows them. */
function happens(session: string, ...events: CapturedInput['event'][]): void {
  ingestEvents(
    store,
    ...events.map((event) => {
      clock += 1_000;
      return { session, at: clock, event };
    }),
  );
  follow();
}

function follow(): number {
  return followEvents(store, { log, now: clock });
}

function modes(): Record<string, string> {
  return Object.fromEntries(
    store.listWorkItems({ limit: 50, withClosed: true }).map(({ name, mode }) => [name, mode]),
  );
}

function workOf(session: string): string | null {
  return store.findSessionWorkItem(session)?.name ?? null;
}

function theWork() {
  const [work] = store.listWorkItems({ limit: 1, withClosed: true });
  if (!work) throw new Error('There is no work.');
  return work;
}

function tasks(): string[] {
  return store
    .listTasks(theWork().id)
    .map(({ number, subject, state, source }) => `${number} ${state} ${subject} (${source})`);
}

function plans(): string[] {
  return store.listPlans(theWork().id).map(({ version, state }) => `v${version} ${state}`);
}

const EMPTY_PARTS: HandoffParts = {
  ...{ goal: '', state: '', decisions: [], deadEnds: [], files: [], questions: [], nextSteps: [], note: '' },
};

function handOff(
  workId: number,
  author: Pick<Handoff, 'by' | 'agentSession'> = { by: 'agent', agentSession: null },
): number {
  const from = { plan: null, git: null, ...author };
  return store.addHandoff({ workId, parts: EMPTY_PARTS, tasks: [], ...from, at: clock }).id;
}

const LOGIN = 'Fix the login form: it loses the email';
const bash = call('Bash', { command: 'ls' }, { stdout: '' });
const PLAN = '# Plan: readable parser errors\n\n1. Locate every token\n2. Show a caret\n3. Test broken files';

describe('binding', () => {
  test('the first prompt creates a work item, and later prompts of the session belong to it', () => {
    happens(
      'a',
      start(),
      prompt(LOGIN),
      bash,
      prompt('and the invoice letters of the accounting department'),
    );
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    expect(theWork()).toMatchObject({
      title: LOGIN,
      branch: 'main',
      worktree: ORCHARD.worktree,
      project: 'orchard',
    });
    expect(store.listWorkItemSessions(theWork().id)).toMatchObject([{ agentSession: 'a', by: 'new' }]);
  });

  test.each<[string, CapturedInput['event'][]]>([
    ['a machine prompt', [{ kind: 'prompt', text: '<task-notification>done', origin: 'machine' }]],
    ['a slash command', [prompt('/init')]],
    ['a private prompt', [prompt('')]],
    ['a greeting', [prompt('hi there')]],
    ['a tool call without a prompt', [bash]],
    ['a subagent', [{ ...bash, subagent: { id: 'x', type: 'Explore' } }]],
    [
      "a subagent's tasks",
      [
        call(
          'TaskCreate',
          { subject: 'S' },
          { task: { id: '1', subject: 'S' } },
          { subagent: { id: 'x', type: 'E' } },
        ),
      ],
    ],
  ])('%s creates no work item', (_, events) => {
    happens('a', start(), ...events);
    expect(modes()).toEqual({});
  });

  test('another subject in another session is another work item, and returning to the first subject finds the first', () => {
    happens('a', start(), prompt(LOGIN), bash, end());
    happens('b', start(), prompt('Write a changelog for release two'), bash, end());
    happens('c', start(), prompt('back to the login form: the email is lost on reload as well'));
    expect([workOf('a'), workOf('b'), workOf('c')]).toEqual([
      'fix-login-form',
      'write-changelog-release-two',
      'fix-login-form',
    ]);
    expect(modes()).toEqual({ 'fix-login-form': 'active', 'write-changelog-release-two': 'idle' });
  });

  test('the plan of a session that started with a command creates its work item', () => {
    happens('a', start(), prompt('/plan-it'), planAsked(PLAN), planAccepted(PLAN));
    expect(modes()).toEqual({ 'readable-parser-errors': 'has_plan' });
    expect(tasks()).toHaveLength(3);
  });

  test('a closed work item is not reopened by its session', () => {
    happens('a', start(), prompt(LOGIN), bash);
    closeWorkItem(store, theWork(), { at: clock, log });
    happens('a', bash);
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
    happens('a', prompt('the invoice letters are printed twice'));
    expect(modes()).toEqual({ 'fix-login-form': 'idle', 'invoice-letters-printed-twice': 'active' });
  });

  test('without a project there is no work item', () => {
    const event = { kind: 'prompt', text: LOGIN, origin: 'person', sessionId: 'x' } as const;
    const by = { agent: 'claude-code', at: clock, via: 'settings' };
    const one = { ...by, event, priority: 'normal', spoolName: 'x.1' } as const;
    store.ingest([{ ...by, name: 'x.1', hook: 'Hook', events: [one] }], clock);
    follow();
    expect(modes()).toEqual({});
  });
});

describe('plans', () => {
  test('planning does not activate the work item, and an accepted plan is pending even if nothing follows', () => {
    happens('a', start(), prompt(LOGIN, 'plan'), { ...bash, permissionMode: 'plan' });
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
    happens('a', planAsked(PLAN));
    expect([plans(), modes()]).toEqual([['v1 proposed'], { 'fix-login-form': 'idle' }]);
    happens('a', planAccepted(PLAN));
    expect([plans(), modes()]).toEqual([['v1 accepted'], { 'fix-login-form': 'has_plan' }]);
    happens('a', bash);
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    happens('a', end('clear'));
    expect(modes()).toEqual({ 'fix-login-form': 'has_plan' });
    happens('b', start('clear'), prompt('continue'));
    expect([workOf('b'), modes()]).toEqual(['fix-login-form', { 'fix-login-form': 'active' }]);
  });

  test.each<[string, CapturedInput['event'][], string[]]>([
    ['proposed twice, as the agent reports it', [planAsked(PLAN), planAsked(PLAN)], ['v1 proposed']],
    [
      'refused with a report',
      [planAsked(PLAN), call('ExitPlanMode', {}, 'No', { outcome: 'refused' })],
      ['v1 refused'],
    ],
    ['refused by proposing another one', [planAsked('1. a'), planAsked(PLAN)], ['v2 proposed', 'v1 refused']],
    [
      'refused, then proposed again unchanged',
      [planAsked(PLAN), call('ExitPlanMode', {}, 'No', { outcome: 'refused' }), planAsked(PLAN)],
      ['v1 proposed'],
    ],
    [
      'edited before it was accepted',
      [planAsked('1. a'), planAccepted(PLAN)],
      ['v2 accepted', 'v1 replaced'],
    ],
    ['accepted without a proposal', [planAccepted(PLAN)], ['v1 accepted']],
    [
      'accepted without its text',
      [planAsked(PLAN), call('ExitPlanMode', {}, 'User has approved your plan')],
      ['v1 accepted'],
    ],
    ['accepted without a text or a proposal', [call('ExitPlanMode', {}, 'User has approved your plan')], []],
    [
      'accepted with other line ends, which is the same version',
      [planAsked(PLAN), planAccepted(`${PLAN.replaceAll('\n', '\r\n')}\n`)],
      ['v1 accepted'],
    ],
    [
      'a later plan replaces an earlier one',
      [planAccepted('1. a'), planAsked(PLAN), planAccepted(PLAN)],
      ['v2 accepted', 'v1 replaced'],
    ],
    [
      'the first plan accepted again',
      [planAccepted('1. a'), planAccepted(PLAN), planAccepted('1. a')],
      ['v2 replaced', 'v1 accepted'],
    ],
    [
      'a late refusal does not affect a later plan',
      [planAccepted(PLAN), call('ExitPlanMode', { plan: '1. a' }, 'No', { outcome: 'refused' })],
      ['v2 refused', 'v1 accepted'],
    ],
  ])('%s', (_, events, expected) => {
    happens('a', start(), prompt(LOGIN, 'plan'), ...events);
    expect(plans()).toEqual(expected);
  });

  test('steps become tasks, and a later version keeps finished and drops missing ones', () => {
    happens('a', start(), prompt(LOGIN, 'plan'), planAccepted('1. Parse\n2. Print\n3. Ship'));
    const [parse] = store.listTasks(theWork().id);
    if (!parse) throw new Error('no task');
    store.changeTask(parse.id, { state: 'done' }, 'person', clock);
    happens('a', planAccepted('1. Parse\n2. Review it\n3. Ship'));
    expect(tasks()).toEqual([
      '1 done Parse (plan)',
      '2 dropped Print (plan)',
      '3 open Ship (plan)',
      '4 open Review it (plan)',
    ]);
    happens('a', planAccepted('1. Print\n2. Ship'));
    expect(tasks()).toEqual([
      '1 done Parse (plan)',
      '2 open Print (plan)',
      '3 open Ship (plan)',
      '4 dropped Review it (plan)',
    ]);
  });

  test('finishing the last step finishes the plan, and the work item is idle', () => {
    happens('a', start(), prompt(LOGIN, 'plan'), planAccepted('1. Write the parser\n2. Test broken files'));
    const created = (id: string, subject: string) =>
      call('TaskCreate', { subject }, { task: { id, subject } });
    const done = (id: string) =>
      call('TaskUpdate', { taskId: id, status: 'completed' }, { success: true, taskId: id });
    happens(
      'a',
      created('1', 'Implement the parser'),
      created('2', 'Test the broken files'),
      bash,
      done('1'),
    );
    expect(tasks()).toEqual(['1 done Write the parser (plan)', '2 open Test broken files (plan)']);
    happens('a', done('2'), end());
    expect([plans(), modes()]).toEqual([['v1 finished'], { 'fix-login-form': 'idle' }]);
  });
});

describe('tasks', () => {
  const list = (...todos: [string, string][]) => {
    const newTodos = todos.map(([content, status]) => ({ content, status }));
    return call('TodoWrite', { todos: newTodos }, { oldTodos: [], newTodos });
  };

  test('are created, updated and deleted', () => {
    happens(
      'a',
      start(),
      prompt(LOGIN),
      call(
        'TaskCreate',
        { subject: 'Write tests' },
        { task: { id: '1', subject: 'Write tests', description: 'all' } },
      ),
      call('TaskCreate', { subject: 'Ship it' }, { task: { id: '2', subject: 'Ship it' } }),
      call('TaskUpdate', { taskId: '1', status: 'in_progress' }, { success: true }),
      call('TaskUpdate', { taskId: '2', status: 'deleted' }, { success: true }),
      call('TaskUpdate', { taskId: '9', status: 'completed' }, { success: true }),
    );
    expect(tasks()).toEqual(['1 doing Write tests (agent)', '2 dropped Ship it (agent)']);
    const [first] = store.listTasks(theWork().id);
    expect(store.listTaskChanges(first?.id ?? 0).map(({ state, by }) => [state, by])).toEqual([
      ['open', 'agent'],
      ['doing', 'agent'],
    ]);
  });

  test('a whole list drops missing tasks and keeps finished ones', () => {
    happens(
      'a',
      start(),
      prompt(LOGIN),
      list(['Read the form', 'in_progress'], ['Mend it', 'pending'], ['Ship', 'pending']),
    );
    happens('a', list(['Read the form', 'completed'], ['Mend it all', 'in_progress']));
    expect(tasks()).toEqual([
      '1 done Read the form (agent)',
      '2 doing Mend it all (agent)',
      '3 dropped Ship (agent)',
    ]);
    happens('a', list());
    expect(tasks()).toEqual([
      '1 done Read the form (agent)',
      '2 dropped Mend it all (agent)',
      '3 dropped Ship (agent)',
    ]);
  });

  test('a task with a similar text in the next session is the same task', () => {
    happens(
      'a',
      start(),
      prompt(LOGIN),
      list(['Read the form', 'completed'], ['Test the email field', 'pending']),
      end(),
    );
    happens(
      'b',
      start(),
      prompt('work: fix-login-form'),
      call(
        'TaskCreate',
        { subject: 'Add tests of the email field' },
        { task: { id: '1', subject: 'Add tests of the email field' } },
      ),
      call('TaskUpdate', { taskId: '1', status: 'completed' }, { success: true }),
    );
    expect(tasks()).toEqual(['1 done Read the form (agent)', '2 done Test the email field (agent)']);
  });

  test('numbers distinguish similar tasks', () => {
    happens(
      'a',
      start(),
      prompt(LOGIN),
      list(['Phase 1 of the form', 'pending'], ['Phase 2 of the form', 'pending']),
    );
    expect(tasks()).toHaveLength(2);
  });
});

describe('handoffs', () => {
  test('are staged while the session is active, pending at its end and taken by the session that continues', () => {
    happens('a', start(), prompt(LOGIN), bash);
    const id = handOff(theWork().id);
    changeMode(store, theWork(), 'handed off', { at: clock, log });
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    happens('a', end());
    expect(modes()).toEqual({ 'fix-login-form': 'has_handoff' });
    happens('b', start());
    store.giveHandoff(id, 'b', clock);
    happens('b', prompt('ok, go on'));
    expect([store.getHandoff(id)?.state, modes(), workOf('b')]).toEqual([
      'taken',
      { 'fix-login-form': 'active' },
      'fix-login-form',
    ]);
    happens('b', end());
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
  });

  test('taken by a session in plan mode is no longer pending, and the work item is not active', () => {
    happens('a', start(), prompt(LOGIN), bash);
    const id = handOff(theWork().id);
    happens('a', end());
    store.giveHandoff(id, 'b', clock);
    happens('b', start(), prompt('continue', 'plan'));
    expect([store.getHandoff(id)?.state, modes()]).toEqual(['taken', { 'fix-login-form': 'idle' }]);
  });

  test.each<[string, CapturedInput['event'][]]>([
    ['does something else', [prompt('write a changelog for the invoice letters')]],
    ['ends without a prompt', [end()]],
  ])('given to a session that %s, it becomes pending again', (_, events) => {
    happens('a', start(), prompt(LOGIN), bash);
    const { id: workId } = theWork();
    const id = handOff(workId);
    happens('a', end());
    happens('b', start());
    store.giveHandoff(id, 'b', clock);
    happens('b', ...events);
    expect([store.getHandoff(id)?.state, store.getWorkItem(workId)?.mode]).toEqual(['staged', 'has_handoff']);
  });

  test.each<[string, Pick<Handoff, 'by' | 'agentSession'>, Handoff['state']]>([
    ['discarded if the meter of the same session wrote it', { by: 'meter', agentSession: 'a' }, 'discarded'],
    ['kept if the meter of another session wrote it', { by: 'meter', agentSession: 'b' }, 'staged'],
    ['kept if the agent wrote it', { by: 'agent', agentSession: 'a' }, 'staged'],
  ])('after a compaction it is %s', (_, author, state) => {
    happens('a', start(), prompt(LOGIN), bash);
    const id = handOff(theWork().id, author);
    happens('a', { kind: 'compact-end', trigger: 'auto', summary: 'Half of it.' });
    expect(store.getHandoff(id)?.state).toBe(state);
  });

  test('given to a killed session, it becomes pending again when another session starts half an hour later', () => {
    happens('a', start(), prompt(LOGIN), bash);
    const id = handOff(theWork().id);
    happens('a', end());
    happens('b', start());
    store.giveHandoff(id, 'b', clock);
    happens('c', start());
    expect(store.getHandoff(id)?.state).toBe('given');
    clock += 31 * MINUTE;
    happens('d', start());
    expect(store.getHandoff(id)?.state).toBe('staged');
  });
});

describe('ends of sessions', () => {
  test('a work item is active until its last session ends', () => {
    happens('a', start(), prompt(LOGIN), bash);
    happens('b', start(), prompt('work: fix-login-form'), bash);
    happens('a', end());
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    happens('b', end());
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
  });

  test('a resumed session continues its work item', () => {
    happens('a', start(), prompt(LOGIN), bash, end());
    happens('a', start('resume'));
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    happens('a', end());
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
  });

  test('a killed session leaves its work item active until another session starts long after', () => {
    happens('a', start(), prompt(LOGIN, 'plan'), planAccepted(PLAN), bash);
    clock += 20 * MINUTE;
    happens('b', start());
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
    clock += 20 * MINUTE;
    happens('c', start());
    expect(modes()).toEqual({ 'fix-login-form': 'has_plan' });
    happens('a', bash);
    expect(modes()).toEqual({ 'fix-login-form': 'active' });
  });

  test('a late event does not activate a work item whose sessions have ended', () => {
    happens('a', start(), prompt(LOGIN), bash, end());
    ingestEvents(store, { session: 'a', at: clock - 2_000, event: call('Read', {}, {}) });
    follow();
    expect(modes()).toEqual({ 'fix-login-form': 'idle' });
  });

  test("next steps come from the last summary, even a late one, and a person's edit outlasts an older summary", () => {
    happens('a', start(), prompt(LOGIN), bash, end());
    const nextSteps = () => theWork().nextSteps;
    rememberTurn(store, {
      ...{ session: 'a', at: clock - 500, place: ORCHARD, summary: { nextSteps: 'Cover password reset' } },
    });
    // The end is reported again, after the late summary.
    happens('a', end());
    expect(nextSteps()).toBe('Cover password reset');
    clock += 5 * MINUTE;
    store.changeWorkItem(theWork().id, { nextSteps: 'Ask Kim first', nextStepsAt: clock }, clock);
    follow();
    expect(nextSteps()).toBe('Ask Kim first');
  });
});

test('a forbidden change of mode is refused and logged', () => {
  happens('a', start(), prompt(LOGIN, 'plan'));
  const work = theWork();
  expect(changeMode(store, work, 'ended with handoff', { at: clock, log })).toEqual(work);
  const lines = readdirSync(join(folder, 'logs')).map((file) =>
    readFileSync(join(folder, 'logs', file), 'utf8'),
  );
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    message: 'a work item cannot change its mode like this',
    work: 'fix-login-form',
    mode: 'idle',
    event: 'ended with handoff',
  });
});

test('after the clock was set back, no time is in the future', () => {
  ingestEvents(store, { session: 'a', at: START + 3_600_000, event: prompt(LOGIN) });
  followEvents(store, { log, now: START });
  expect(theWork().openedAt).toBe(START);
});

test('follows at most as many events as the limit', () => {
  ingestEvents(
    store,
    ...[start(), prompt(LOGIN), bash, bash, end()].map((event, at) => ({
      session: 'a',
      at: START + at,
      event,
    })),
  );
  const counts = [2, 2, 2, 2].map((limit) => followEvents(store, { log, now: START + 9, limit }));
  expect([counts, modes()]).toEqual([[2, 2, 1, 0], { 'fix-login-form': 'idle' }]);
});
