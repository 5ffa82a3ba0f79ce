import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ingestEvents, ORCHARD, prompt } from '../../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { chooseWorkItem } from './choose-work-item.ts';
import { bindSession, closeWorkItem, switchSession } from './work-items.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const HOUR = 3_600_000;

let store: PlainStore;
let log: Log;
let projectId: number;

beforeEach(() => {
  const folder = tempFolder();
  store = openPlainStore(join(folder, 'cairn.db'));
  log = createLog({ folder: join(folder, 'logs'), from: 'test' });
  ingestEvents(store, { session: 'somebody', at: NOW - 90 * 24 * HOUR, event: prompt('hello') });
  projectId = store.findProject(ORCHARD)?.id ?? 0;
});

afterEach(() => store.close());

interface Past {
  name: string;
  title: string;
  plan?: string;
  tasks?: string[];
  nextSteps?: string;
  at?: number;
  worktree?: string;
  isClosed?: boolean;
  handoff?: { goal: string; givenTo?: string };
}

function addWork({ name, title, plan, tasks, nextSteps, handoff, ...rest }: Past): void {
  const { at = NOW - HOUR, worktree = ORCHARD.worktree ?? null, isClosed = false } = rest;
  const { id } = store.addWorkItem({ name, title, projectId, branch: 'main', worktree, at });
  if (plan) {
    store.addPlan({ workId: id, text: plan, hash: name, state: 'accepted', agentSession: null, at });
    store.changeWorkItem(id, { mode: 'has_plan' }, at);
  }
  for (const subject of tasks ?? [])
    store.addTask({ workId: id, subject, description: '', state: 'open', source: 'agent', key: null, at });
  if (nextSteps) store.changeWorkItem(id, { nextSteps }, at);
  if (handoff) {
    const parts = { goal: handoff.goal, state: '', decisions: [], deadEnds: [], files: [] };
    const { id: handoffId } = store.addHandoff({
      workId: id,
      parts: { ...parts, questions: [], nextSteps: [], note: '' },
      ...{ tasks: [], plan: null, git: null, by: 'agent', agentSession: null, at },
    });
    store.changeWorkItem(id, { mode: 'has_handoff' }, at);
    if (handoff.givenTo) store.giveHandoff(handoffId, handoff.givenTo, at);
  }
  const work = store.getWorkItem(id);
  if (isClosed && work) closeWorkItem(store, work, { at, log });
}

function ask(text: string, { worktree = ORCHARD.worktree ?? null, session = 'new' } = {}): string | null {
  const choice = chooseWorkItem(store, {
    ...{ agentSession: session, projectId, worktree, branch: 'main', text, now: NOW },
  });
  if (!choice) return null;
  return choice.work === 'new' ? 'new' : `${choice.by}: ${choice.work.name}`;
}

const LOGIN: Past = {
  name: 'fix-login-form',
  title: 'Fix the login form: it loses the email when validation fails',
  nextSteps: 'Show the message beside the field; cover password reset',
};
const EXPORT: Past = {
  name: 'csv-export',
  title: 'Add a CSV export to the orders page',
  tasks: ['Write the exporter', 'Add a button to the orders page', 'Document the columns'],
};
const PLANNED: Past = {
  name: 'parser-errors',
  title: 'Make the parser errors readable',
  plan: '# Readable parser errors\n\n1. Add a source location to every token\n2. Show the line with a caret\n3. Test with broken files\n\nCheck: `npm test`',
};

describe('nothing is pending', () => {
  beforeEach(() => {
    addWork(LOGIN);
    addWork({ ...EXPORT, at: NOW - 2 * HOUR });
    addWork({ name: 'old-thing', title: 'Migrate the billing webhooks', at: NOW - 70 * 24 * HOUR });
    addWork({ name: 'upgrade-react', title: 'Upgrade React to version 19', isClosed: true });
  });

  test.each([
    ['continue', 'similar: fix-login-form'],
    ['weiter', 'similar: fix-login-form'],
    ['Mach bitte weiter', 'similar: fix-login-form'],
    ['go on', 'similar: fix-login-form'],
    ['继续', 'similar: fix-login-form'],
    ['pick up where we left off', 'similar: fix-login-form'],
    ['The login form still loses the email', 'similar: fix-login-form'],
    ['email validation in the form for the login', 'similar: fix-login-form'],
    ['back to the login form: validation fails for umlauts', 'similar: fix-login-form'],
    ['now cover the password reset of the login form', 'similar: fix-login-form'],
    ['quote the CSV columns of the orders export', 'similar: csv-export'],
    ['continue with the CSV export', 'similar: csv-export'],
    ['document the export columns on the orders page', 'similar: csv-export'],
    ['let us do work: csv-export', 'name: csv-export'],
    ['work: csv-export', 'name: csv-export'],
    ['Work: csv-export, please', 'name: csv-export'],
    ['work: csv-export\nquote everything', 'name: csv-export'],
    ['go on with csv-export.', 'name: csv-export'],
    ['finish `fix-login-form` today', 'name: fix-login-form'],
    ['compare fix-login-form with csv-export', 'new'],
    ['take up upgrade-react again', 'name: upgrade-react'],
    ['upgrade React to version 19.1', 'new'],
    ['migrate the billing webhooks', 'new'],
    ['work: something-else\nwrite a changelog', 'new'],
    ['write a changelog for the release', 'new'],
    ['fix the tests', 'new'],
    ['add a page', 'new'],
    ['fix the form of the invoice letters', 'new'],
    ['the orders importer crashes on duplicate rows', 'new'],
    ['run the tests and show me the errors', 'new'],
    ['hi', null],
    ['yes please', null],
    ['/init', null],
    ['/cairn:handoff save it', null],
    ['/etc/hosts is not read any more', 'new'],
    ['', null],
    ['   ', null],
    ['[private]', null],
  ])('%j: %s', (text, expected) => {
    expect(ask(text)).toBe(expected);
  });

  test('two about equally similar work items: chooses neither', () => {
    addWork({ name: 'login-audit', title: 'Audit log for the login form' });
    expect(ask('change the login form')).toBe('new');
  });
});

describe('one plan is pending', () => {
  beforeEach(() => {
    addWork({ ...PLANNED, at: NOW - 3 * HOUR });
    addWork(LOGIN);
  });

  test.each([
    ['continue', 'staged: parser-errors'],
    ['weiter', 'staged: parser-errors'],
    ['go ahead with the plan', 'staged: parser-errors'],
    ['start with step 2', 'staged: parser-errors'],
    ['yes, do it', 'staged: parser-errors'],
    ['run the tests', 'staged: parser-errors'],
    ['show the caret under the token', 'staged: parser-errors'],
    ['the broken files first, please', 'staged: parser-errors'],
    ['the login form still loses the email', 'similar: fix-login-form'],
    ['continue with the login form', 'similar: fix-login-form'],
    ['work: fix-login-form', 'name: fix-login-form'],
    ['write a changelog entry about the invoice letters', 'new'],
    ['Upgrade npm on the build machine', 'new'],
    ['Upgrade npm', 'new'],
    ['Which tokens does the staging server accept for deploys?', 'new'],
    ['Rename the staging server', 'new'],
    ['the docker image is too big, can we shrink the layers', 'new'],
    ['hi', null],
  ])('%j: %s', (text, expected) => {
    expect(ask(text)).toBe(expected);
  });
});

describe('several are pending', () => {
  const elsewhere = '/home/robin/orchard-two';

  test('chooses the one of this worktree first', () => {
    addWork({ ...PLANNED, at: NOW - 3 * HOUR });
    addWork({ ...EXPORT, plan: '1. Write the exporter', worktree: elsewhere });
    expect([ask('continue'), ask('continue', { worktree: elsewhere })]).toEqual([
      'staged: parser-errors',
      'staged: csv-export',
    ]);
  });

  test('chooses the one that the prompt mentions', () => {
    addWork(PLANNED);
    addWork({ ...EXPORT, plan: '1. Write the exporter', at: NOW - 5 * HOUR });
    expect(ask('the exporter should quote its columns')).toBe('staged: csv-export');
  });

  test('chooses the one that was given to this session', () => {
    addWork(PLANNED);
    addWork({ ...EXPORT, at: NOW - 5 * HOUR, handoff: { goal: 'Export orders', givenTo: 'new' } });
    expect(ask('ok, go on')).toBe('staged: csv-export');
  });
});

test('a bound session keeps its work item, whatever the prompt', () => {
  addWork(LOGIN);
  addWork(PLANNED);
  const { id: workId } = store.findWorkItem('fix-login-form') ?? { id: 0 };
  switchSession(store, { agent: 'claude-code', agentSession: 'mine', workId, by: 'person', at: NOW, log });
  expect([ask('work: parser-errors', { session: 'mine' }), ask('/init', { session: 'mine' })]).toEqual([
    'person: fix-login-form',
    'person: fix-login-form',
  ]);
});

test('a vague prompt means the work item that was shown at the session start', () => {
  addWork({ name: 'paint-fence', title: 'Paint the fence', tasks: ['buy paint'] });
  const { id = 0 } = store.findWorkItem('paint-fence') ?? {};
  expect(ask('run the tests')).toBe('new');
  store.recordWorkItemShown('told', id, NOW);
  expect(ask('run the tests', { session: 'told' })).toBe('staged: paint-fence');
  expect(ask('Why is the build of the documentation so slow on Fridays?', { session: 'told' })).toBe('new');
});

test('a session whose work item was closed gets another one', () => {
  addWork(LOGIN);
  const work = store.findWorkItem('fix-login-form');
  if (!work) throw new Error('no work');
  bindSession(store, {
    agent: 'claude-code',
    agentSession: 'mine',
    workId: work.id,
    by: 'new',
    at: NOW,
    log,
  });
  closeWorkItem(store, work, { at: NOW, log });
  expect(ask('the login form loses the email', { session: 'mine' })).toBe('new');
});

describe('another session works on it, or was killed a moment ago', () => {
  beforeEach(() => {
    addWork(EXPORT);
    ingestEvents(store, { session: 'other', at: NOW - 60_000, event: prompt('the export') });
    const { id: workId } = store.findWorkItem('csv-export') ?? { id: 0 };
    switchSession(store, { agent: 'claude-code', agentSession: 'other', workId, by: 'name', at: NOW, log });
  });

  test.each([
    ['continue', 'staged: csv-export'],
    ['yes, do it', 'staged: csv-export'],
    ['run the tests', 'new'],
    ['document the export columns on the orders page', 'similar: csv-export'],
  ])('%j: %s', (text, expected) => {
    expect(ask(text)).toBe(expected);
  });

  test('a work item without a session comes first', () => {
    addWork({ ...PLANNED, at: NOW - 5 * HOUR });
    expect(ask('continue')).toBe('staged: parser-errors');
  });
});
