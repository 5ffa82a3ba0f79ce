import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, end, ingestEvents, ORCHARD, prompt, start } from '../../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { followEvents } from '../../continuity/follow.ts';
import { saveHandoffWithGit } from '../../continuity/handoff/handoff.ts';
import { finishPlan } from '../../continuity/plans/plan.ts';
import { DATA_SENTENCE } from '../../model/framed.ts';
import { createLog } from '../../platform/log.ts';
import type { ContextRequest } from '../context-request.ts';
import { buildWorkAtPrompt } from './at-prompt.ts';
import { buildWorkAtStart } from './at-start.ts';
import { formatSurvivalList } from './before-compaction.ts';
import { readWorkItem } from './work-item-details.ts';

const HOUR = 3_600_000;
const NOON = new Date(2024, 10, 15, 12, 0).getTime();
const PLAN =
  '# Throttle the login\n\n1. Count attempts in Redis\n2. Answer 429 after five\n3. Write the tests\n';

describe('the context about work items', () => {
  let store: PlainStore;
  const log = createLog({ folder: '/nonexistent', level: 'off', from: 'test' });
  beforeEach(() => {
    store = openPlainStore(join(tempFolder(), 'cairn.db'));
  });
  afterEach(() => store.close());

  test('is empty if no work item is pending', () => {
    ingestEvents(store, { session: 'one', at: NOON - HOUR, event: prompt('What does this project do?') });
    follow();
    expect(begin('two').text).toBe('');
  });

  test('has the accepted plan with open and finished tasks', () => {
    planned();
    const { text, details } = begin('two');
    expect(text).toBe(
      [
        '<cairn-context>',
        DATA_SENTENCE,
        'Work in progress: throttle-login: Throttle the login (on main, 1 of 3 tasks done, last worked on 1 h ago)',
        'Check it against the current state before you continue: some of it may be done or outdated.',
        'Plan, version 1, accepted 2024-11-15:',
        ...PLAN.trim()
          .split('\n')
          .map((line) => `> ${line}`.trimEnd()),
        'Tasks:',
        '[ ] 2 Answer 429 after five',
        '[ ] 3 Write the tests',
        '[x] 1 Count attempts in Redis',
        'Mark tasks as done: the tool `tasks` of the MCP server cairn, or `cairn tasks done <number>` in a shell.',
        '</cairn-context>',
      ].join('\n'),
    );
    expect(details?.work.mode).toBe('has_plan');
  });

  test('cuts a long plan with a hint to the rest, and keeps its tasks', () => {
    planned(`${PLAN}\n${'Reasons, in detail, for every step of it. '.repeat(400)}`);
    const { text, tokens } = begin('two');
    expect(text).toContain('(More: `cairn plan show throttle-login`.)');
    expect(text).toContain('[ ] 3 Write the tests');
    expect(tokens).toBeLessThanOrEqual(1_010);
  });

  test('is empty if all steps of the plan are done', () => {
    planned();
    for (const { id } of store.listTasks(1)) store.changeTask(id, { state: 'done' }, 'person', NOON - HOUR);
    finishPlan(store, 1, { at: NOON, log });
    expect(begin('two').text).toBe('');
  });

  test('is empty if the work item is closed', () => {
    planned();
    store.changeWorkItem(1, { mode: 'idle', closedAt: NOON }, NOON);
    expect(begin('two').text).toBe('');
  });

  test('has open tasks without a plan or handoff', () => {
    ingestEvents(store, {
      session: 'one',
      at: NOON - HOUR,
      event: prompt('Prune the apples of the orchard'),
    });
    follow();
    const task = { description: '', state: 'open', source: 'mcp', key: null, at: NOON - HOUR } as const;
    store.addTask({ workId: 1, subject: 'Burn what was cut', ...task });
    ingestEvents(store, { session: 'one', at: NOON - HOUR, event: end() });
    follow();
    expect(store.getWorkItem(1)?.mode).toBe('idle');
    expect(begin('two').text).toContain('Tasks:\n[ ] 1 Burn what was cut\n');
  });

  test('gives a handoff to one session only, in its own words', () => {
    planned();
    handOff();
    expect(begin('two').text).toContain(
      [
        'Handed off (1, 2024-11-15, by the agent):',
        'Goal: Throttle the login',
        'Next:',
        '- run the tests',
        '- ask about IPv6',
        'State: counting works',
        'Decided: Redis, because the others have it too',
        'Dead ends: counting in memory',
      ].join('\n'),
    );
    expect(begin('three').text).not.toContain('Handed off');
  });

  test('after /clear no other session counts as active', () => {
    planned('', { isOpen: true });
    expect(begin('two').text).toContain('do not do the same twice');
    expect(begin('two', 'clear').text).not.toContain('do not do the same twice');
  });

  test('has the own work item after a compaction, and is empty on resume', () => {
    planned('', { isOpen: true });
    expect(begin('one', 'compact').text).toContain('Work in progress: throttle-login');
    expect(begin('one', 'resume').text).toBe('');
  });

  test('names other pending work items', () => {
    planned();
    ingestEvents(store, {
      session: 'other',
      at: NOON - 3 * HOUR,
      event: prompt('Rename the invoice templates'),
    });
    ingestEvents(store, accepted('other', NOON - 3 * HOUR, '# Rename\n\n1. Find them\n2. Rename them\n'));
    ingestEvents(store, { session: 'other', at: NOON - 3 * HOUR, event: end() });
    follow();
    expect(begin('two').text).toContain(
      'Also open (to switch: `cairn work switch <name>`):\n- rename-invoice-templates: Rename (has a plan, 0 of 2 tasks done)',
    );
  });

  test('has a work item at the prompt that returns to it, if it has something left', () => {
    ingestEvents(store, {
      session: 'old',
      at: NOON - 9 * HOUR,
      event: prompt('Rename the invoice templates in the shop'),
    });
    ingestEvents(store, {
      session: 'old',
      at: NOON - 9 * HOUR,
      event: call('Bash', { command: 'true' }, {}),
    });
    ingestEvents(store, { session: 'old', at: NOON - 9 * HOUR, event: end() });
    follow();
    expect(ask('early', 'Please go on with renaming the invoice templates of the shop').text).toBe('');
    store.changeWorkItem(1, { nextSteps: 'the last two of them' }, NOON - 8 * HOUR);
    expect(ask('new', 'Please go on with renaming the invoice templates of the shop').text).toContain(
      'Work in progress: rename-invoice-templates',
    );
    expect(ask('new', 'and now?').text).toBe('');
    expect(ask('newer', 'Why is the build of the documentation so slow?').text).toBe('');
    expect(store.findSessionWorkItem('newer')?.name).not.toBe('rename-invoice-templates');
  });

  test('has the work item at the prompt even if the follow step has bound the session first', () => {
    planned();
    const text = 'Please go on throttling the login';
    ingestEvents(store, { session: 'new', at: NOON, event: prompt(text) });
    follow();
    expect(store.findSessionWorkItem('new')?.name).toBe('throttle-login');
    expect(ask('new', text).text).toContain('Work in progress: throttle-login');
    expect(ask('new', 'and now?').text).toBe('');
  });

  test('lists what a compaction must keep', () => {
    planned();
    const work = store.getWorkItem(1);
    expect(work && formatSurvivalList(readWorkItem(store, work))).toBe(
      [
        'Keep everything in this list in the summary, with names, paths and numbers unchanged:',
        '<cairn-context>',
        DATA_SENTENCE,
        '- the goal: Throttle the login (work throttle-login)',
        '- the accepted plan (version 1) and how far it is',
        '- what is still to be done:',
        '  [ ] 2 Answer 429 after five',
        '  [ ] 3 Write the tests',
        '- what is done: Count attempts in Redis',
        '- what was tried and did not work, files that were changed and not yet tested, questions to the person',
        '- the very next step',
        '</cairn-context>',
      ].join('\n'),
    );
  });

  function follow(): void {
    followEvents(store, { log, now: NOON });
  }

  function planned(text = PLAN, { isOpen = false } = {}): void {
    const at = isOpen ? NOON - HOUR / 6 : NOON - HOUR;
    ingestEvents(
      store,
      { session: 'one', at, event: start() },
      { session: 'one', at, event: prompt('Throttle the login', 'plan') },
      accepted('one', at, text || PLAN),
      { session: 'one', at, event: call('Edit', { file_path: '/x' }, {}) },
    );
    follow();
    const [first] = store.listTasks(1);
    if (first) store.changeTask(first.id, { state: 'done' }, 'mcp', at);
    if (!isOpen) ingestEvents(store, { session: 'one', at, event: end() });
    follow();
  }

  function accepted(session: string, at: number, plan: string) {
    return { session, at, event: call('ExitPlanMode', {}, { plan, isAgent: false, filePath: '/p.md' }) };
  }

  function handOff(): void {
    const work = store.getWorkItem(1);
    if (!work) throw new Error('There is no work item.');
    const words = {
      goal: 'Throttle the login',
      state: 'counting works',
      decisions: ['Redis, because the others have it too'],
      deadEnds: ['counting in memory'],
      nextSteps: ['run the tests', 'ask about IPv6'],
    };
    const request = { work, words, by: 'agent', agentSession: 'one', folder: '/' } as const;
    saveHandoffWithGit({ store, log, now: () => NOON - HOUR }, request, null);
  }

  function begin(agentSession: string, source = 'startup') {
    const claim = (id: number) => store.giveHandoff(id, agentSession, NOON);
    return buildWorkAtStart(store, request(agentSession), { source, claim });
  }

  function ask(agentSession: string, text: string) {
    return buildWorkAtPrompt(store, request(agentSession), {
      words: redactValue(text),
      permissionMode: 'default',
      log,
    });
  }

  function request(agentSession: string): ContextRequest {
    const { settings } = loadSettings('/nonexistent', readEnvironment({}));
    const project = store.findProject(ORCHARD);
    return {
      ...{
        agent: 'claude-code',
        agentSession: redactValue(agentSession),
        settings,
        longest: 10_000,
        now: NOON,
      },
      project: { id: project?.id ?? 0, name: 'orchard' },
      ...{ top: '/home/robin/orchard', worktree: ORCHARD.worktree ?? null },
      branches: { current: 'main', main: 'main' },
    };
  }
});
