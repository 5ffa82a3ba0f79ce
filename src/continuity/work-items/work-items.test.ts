import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ingestEvents, ORCHARD, prompt } from '../../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import type { WorkItem } from '../../model/work.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { bindPrompt } from './bind-session.ts';
import {
  closeWorkItem,
  openWorkItem,
  reconcileMode,
  renameWorkItem,
  reopenWorkItem,
  switchSession,
} from './work-items.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');

let store: PlainStore;
let log: Log;
let projectId: number;
const where = { branch: 'main', worktree: ORCHARD.worktree ?? null, at: NOW };

beforeEach(() => {
  const folder = tempFolder();
  store = openPlainStore(join(folder, 'cairn.db'));
  log = createLog({ folder: join(folder, 'logs'), from: 'test' });
  ingestEvents(store, { session: 'mine', at: NOW, event: prompt('hello') });
  projectId = store.findProject(ORCHARD)?.id ?? 0;
});

afterEach(() => store.close());

function open(text: string): WorkItem {
  return openWorkItem(store, { prompt: text, projectId, ...where });
}

function switchTo(work: WorkItem): WorkItem {
  const session = { agent: 'claude-code', agentSession: 'mine', by: 'person' } as const;
  return switchSession(store, { ...session, workId: work.id, at: NOW, log });
}

function plan(work: WorkItem): void {
  const plan = { text: '1. a', hash: 'h', state: 'accepted', agentSession: null, at: NOW } as const;
  store.addPlan({ workId: work.id, ...plan });
}

function handOff(work: WorkItem): number {
  const parts = { goal: '', state: '', decisions: [], deadEnds: [], files: [], questions: [], nextSteps: [] };
  const from = { plan: null, git: null, by: 'agent', agentSession: null } as const;
  return store.addHandoff({ workId: work.id, parts: { ...parts, note: '' }, tasks: [], ...from, at: NOW }).id;
}

function modeOf({ id }: WorkItem): string | undefined {
  return store.getWorkItem(id)?.mode;
}

test.each([
  ['Fix the login form', { name: 'fix-login-form', title: 'Fix the login form' }],
  ['work: forms\nFix the login form', { name: 'forms', title: 'Fix the login form' }],
  ['work: forms', { name: 'forms', title: 'forms' }],
])('%j opens a work item', (text, expected) => {
  expect(open(text)).toMatchObject({ ...expected, mode: 'idle', closedAt: null });
});

describe('switching a session', () => {
  test('leaves the old work item pending and activates the new one', () => {
    const [first, second] = [open('Fix the login form'), open('Write a changelog')];
    plan(first);
    switchTo(first);
    expect([modeOf(first), modeOf(second)]).toEqual(['active', 'idle']);
    switchTo(second);
    expect([modeOf(first), modeOf(second)]).toEqual(['has_plan', 'active']);
  });

  test('to a closed work item reopens it', () => {
    const work = open('Fix the login form');
    closeWorkItem(store, work, { at: NOW, log });
    expect(switchTo(work)).toMatchObject({ mode: 'active', closedAt: null });
  });

  test('takes the given handoff of that work item and returns the one of another', () => {
    const [first, second] = [open('Fix the login form'), open('Write a changelog')];
    const [one, two] = [handOff(first), handOff(second)];
    for (const id of [one, two]) store.giveHandoff(id, 'mine', NOW);
    switchTo(first);
    expect([one, two].map((id) => store.getHandoff(id)?.state)).toEqual(['taken', 'staged']);
  });
});

describe('closing', () => {
  test('makes it idle and discards its handoff, but reopening restores its plan', () => {
    const work = open('Fix the login form');
    plan(work);
    const handoff = handOff(work);
    switchTo(work);
    expect(closeWorkItem(store, work, { at: NOW, log })).toMatchObject({ mode: 'idle', closedAt: NOW });
    expect(store.getHandoff(handoff)?.state).toBe('discarded');
    const closed = store.getWorkItem(work.id) ?? work;
    expect(reopenWorkItem(store, closed, { at: NOW, log })).toMatchObject({
      mode: 'has_plan',
      closedAt: null,
    });
  });

  test('without a plan, reopening makes it idle', () => {
    const work = open('Fix the login form');
    const closed = closeWorkItem(store, work, { at: NOW, log });
    expect(reopenWorkItem(store, closed, { at: NOW, log })).toMatchObject({ mode: 'idle', closedAt: null });
  });
});

test.each([
  ['forms', { name: 'forms', title: 'Fix the login form' }],
  ['login-v2', { name: 'login-v2', title: 'Fix the login form' }],
  ['Login_Form!-2', { name: 'login-form-2', title: 'Fix the login form' }],
  ['Mend the sign-in page', { name: 'mend-sign-page', title: 'Mend the sign-in page' }],
  ['Überarbeitung', { name: 'uberarbeitung', title: 'Überarbeitung' }],
])('renaming to %j', (words, expected) => {
  const renamed = renameWorkItem(store, open('Fix the login form'), words, { at: NOW });
  expect(renamed).toMatchObject(expected);
  expect(store.findWorkItem('fix-login-form')?.id).toBe(renamed.id);
});

describe('reconciling', () => {
  test.each<[string, (work: WorkItem) => void, string]>([
    ['an active one with an open session stays active', (work) => switchTo(work), 'active'],
    [
      'an active one without a session',
      (work) => store.changeWorkItem(work.id, { mode: 'active' }, NOW),
      'idle',
    ],
    [
      'has_handoff without a handoff',
      (work) => store.changeWorkItem(work.id, { mode: 'has_handoff' }, NOW),
      'idle',
    ],
    [
      'has_handoff without a handoff, but with a plan',
      (work) => {
        plan(work);
        store.changeWorkItem(work.id, { mode: 'has_handoff' }, NOW);
      },
      'has_plan',
    ],
    ['has_plan without a plan', (work) => store.changeWorkItem(work.id, { mode: 'has_plan' }, NOW), 'idle'],
  ])('%s', (_, prepare, expected) => {
    const work = open('Fix the login form');
    prepare(work);
    expect(reconcileMode(store, work.id, { at: NOW, log })?.mode).toBe(expected);
  });
});

test('the first prompt with a subject binds the session, and later ones do not', () => {
  const ask = (text: string) =>
    bindPrompt(store, {
      ...{ agent: 'claude-code', agentSession: 'mine', projectId, permissionMode: 'default', log, ...where },
      text,
    });
  const [first, second, third] = [ask('hi'), ask('Fix the login form'), ask('Write a changelog')];
  expect(first).toBeNull();
  expect(second).toMatchObject({
    by: 'new',
    isFirst: true,
    work: { name: 'fix-login-form', mode: 'active' },
  });
  expect(third).toMatchObject({ by: 'new', isFirst: false, work: { name: 'fix-login-form' } });
});
