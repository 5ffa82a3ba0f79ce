import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { makeRepository } from '../../../test/support/run-cairn.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { findPlace } from '../../capture/place.ts';
import type { AgentEvent, CapturedEvent } from '../../model/agent-event.ts';
import type { WorkItem } from '../../model/work.ts';
import { createLog } from '../../platform/log.ts';
import { openWorkItem, switchSession } from '../work-items/work-items.ts';
import { type HandoffOptions, resumeHandoff, saveHandoff } from './handoff.ts';
import { formatHandoff } from './handoff-markdown.ts';

let store: PlainStore;
let options: HandoffOptions;
let folder: string;
let work: WorkItem;
let time = 1_000_000;

beforeEach(() => {
  const root = tempFolder();
  folder = makeRepository(join(root, 'orchard'));
  store = openPlainStore(join(root, 'cairn.db'));
  const log = createLog({ folder: join(root, 'logs'), level: 'off', from: 'test' });
  time = 1_000_000;
  options = { store, log, now: () => time };
  tell({ kind: 'prompt', text: PROMPT, origin: 'person' });
  const projectId = store.findProject(findPlace(folder))?.id ?? 0;
  const prompt = { prompt: PROMPT, projectId, branch: 'main', worktree: null, at: time };
  const { id } = openWorkItem(store, prompt);
  work = switchSession(store, { ...SESSION, workId: id, by: 'new', at: time, log });
});
afterEach(() => store.close());

const SESSION = { agent: 'claude-code', agentSession: 'first' };
const PROMPT = 'Graft the pear trees in the northern rows before the end of March, and label each of them.';

test('a work item without any memories can be handed off', async () => {
  const handoff = await saveHandoff(options, {
    work,
    by: 'meter',
    agentSession: 'first',
    folder: '/nowhere',
  });
  expect(handoff).toEqual({
    id: 1,
    workId: work.id,
    number: 1,
    state: 'staged',
    parts: {
      goal: PROMPT,
      state: '',
      decisions: [],
      deadEnds: [],
      files: [],
      questions: [],
      nextSteps: [],
      note: '',
    },
    tasks: [],
    plan: null,
    git: null,
    by: 'meter',
    agentSession: 'first',
    givenTo: null,
    at: time,
    takenAt: null,
    to: null,
    from: null,
  });
});

test('collects what the memory knows about the work item', async () => {
  learn();
  writeFileSync(join(folder, 'rows.txt'), 'north\n');
  const { parts, tasks, plan, git } = await saveHandoff(options, {
    work,
    by: 'person',
    agentSession: null,
    folder,
  });
  expect(parts).toEqual({
    goal: PROMPT,
    state: 'The first row is grafted.\n\nThe second row is grafted too.\n\nAsked last: go on with row three',
    decisions: ['Use whip grafts: They heal faster than cleft grafts.'],
    deadEnds: [
      'Wax melts at noon: Cover it with raffia.',
      '`npm run label -- --all` failed when it was last run: Error: the printer has no paper',
    ],
    files: [
      { path: 'rows.txt', what: 'Use whip grafts' },
      { path: 'labels/north.csv', what: 'Wax melts at noon' },
    ],
    questions: ['Shall the third row be labelled in Latin?'],
    nextSteps: ['Graft row three.', 'Label it.'],
    note: 'not when it rains',
  });
  expect(tasks).toEqual([
    { number: 1, subject: 'row one', state: 'done' },
    { number: 3, subject: 'row three', state: 'open' },
  ]);
  expect(plan).toEqual({ version: 1, text: '# Plan\n1. graft' });
  expect(git).toEqual({ branch: 'main', dirty: ['rows.txt'], moreDirty: 0 });
  expect(store.listGitStates(work.id, 1)).toMatchObject([{ moment: 'handoff', folder }]);
});

test("the author's own parts replace those from the memory and are redacted", async () => {
  learn();
  const words = {
    goal: 'Pears that bear in two years',
    decisions: [],
    questions: ['Who waters? <private>Ask Kim.</private>'],
    note: `The key is ${SECRET}.`,
  };
  const { parts } = await saveHandoff(options, { work, words, by: 'agent', agentSession: 'first', folder });
  expect(parts).toMatchObject({
    goal: 'Pears that bear in two years',
    decisions: ['Use whip grafts: They heal faster than cleft grafts.'],
    questions: ['Who waters? [private]'],
    note: expect.stringMatching(/^The key is \[redacted:.+\]\.\n\nnot when it rains$/),
  });
});

test('lists 20 files and counts the rest', async () => {
  const filesModified = Array.from({ length: 25 }, (_, at) => `src/${at}.ts`);
  rememberTurn(store, { ...turn(), observations: [{ title: 'Sorted', type: 'change', filesModified }] });
  const { parts } = await saveHandoff(options, { work, by: 'person', agentSession: null, folder });
  expect(parts.files).toHaveLength(21);
  expect(parts.files.at(-1)).toEqual({ path: 'and 5 more', what: '' });
});

describe('mode of the work item', () => {
  test('stays active while its session is open', async () => {
    await saveHandoff(options, { work, by: 'agent', agentSession: 'first', folder });
    expect(store.getWorkItem(work.id)?.mode).toBe('active');
  });

  test('is has_handoff without an open session', async () => {
    tell({ kind: 'session-end', reason: 'other' });
    await saveHandoff(options, { work, by: 'person', agentSession: null, folder });
    expect(store.getWorkItem(work.id)?.mode).toBe('has_handoff');
  });

  test('is has_handoff, and a closed work item is reopened', async () => {
    tell({ kind: 'session-end', reason: 'other' });
    const closed = store.changeWorkItem(work.id, { closedAt: time, mode: 'idle' }, time);
    await saveHandoff(options, { work: closed, by: 'person', agentSession: null, folder });
    expect(store.getWorkItem(work.id)).toMatchObject({ mode: 'has_handoff', closedAt: null });
  });
});

describe('resumeHandoff', () => {
  beforeEach(() => tell({ kind: 'session-end', reason: 'other' }));

  test('returns the text once and binds the session to the work item', async () => {
    const handoff = await saveHandoff(options, { work, by: 'agent', agentSession: 'first', folder });
    const second = { agent: 'raw', agentSession: 'second' };
    expect(resumeHandoff(options, { handoff, session: second })).toMatchObject({
      text: formatHandoff(handoff, work),
      work: { id: work.id, mode: 'active' },
    });
    expect(store.findSessionWorkItem('second')?.id).toBe(work.id);
    expect(store.getHandoff(handoff.id)).toMatchObject({ state: 'taken', givenTo: 'second', takenAt: time });
    const third = { agent: 'raw', agentSession: 'third' };
    expect(resumeHandoff(options, { handoff, session: third })).toEqual({
      problem: expect.stringMatching(/ is taken already\. To read it: cairn handoff show$/),
    });
    expect(store.findSessionWorkItem('third')).toBeNull();
  });

  test('can be called once by a person', async () => {
    const handoff = await saveHandoff(options, { work, by: 'agent', agentSession: 'first', folder });
    expect(resumeHandoff(options, { handoff, session: null })).toMatchObject({ work: { mode: 'idle' } });
    expect(resumeHandoff(options, { handoff, session: null })).toHaveProperty('problem');
  });

  test('refuses the session that wrote the handoff', async () => {
    const handoff = await saveHandoff(options, { work, by: 'agent', agentSession: 'first', folder });
    expect(resumeHandoff(options, { handoff, session: SESSION })).toEqual({
      problem: expect.stringContaining('it is for the next session'),
    });
    expect(store.getHandoff(handoff.id)?.state).toBe('staged');
  });
});

test('formatHandoff writes Markdown', async () => {
  learn();
  const git = {
    branch: 'main',
    head: '0123456789abcdef',
    dirty: ['a', 'b'],
    moreDirty: 3,
    ahead: 2,
    behind: 0,
  };
  const handoff = await saveHandoff(options, { work, by: 'person', agentSession: null, folder });
  expect(formatHandoff({ ...handoff, git }, work)).toBe(
    `# Handoff 1 of ${work.name}: ${work.title}

orchard · 1970-01-01 00:16 UTC

## Goal

${PROMPT}

## State

The first row is grafted.

The second row is grafted too.

Asked last: go on with row three

## Note

not when it rains

## Next steps

1. Graft row three.
2. Label it.

## Tasks

- [x] 1. row one
- [ ] 3. row three

## Decisions

- Use whip grafts: They heal faster than cleft grafts.

## Dead ends

- Wax melts at noon: Cover it with raffia.
- \`npm run label -- --all\` failed when it was last run: Error: the printer has no paper

## Open questions

- Shall the third row be labelled in Latin?

## Files

- rows.txt: Use whip grafts
- labels/north.csv: Wax melts at noon

## Git

- branch main, at 0123456789ab, 2 ahead
- uncommitted: a, b and 3 more

## Plan (version 1)

> # Plan
> 1. graft
`,
  );
});

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH-abcdefgh';

function turn() {
  time += 1_000;
  return { session: 'first', at: time, place: findPlace(folder), folder };
}

/** A session with every kind of content, whose last turn is not distilled yet. */
function learn(): void {
  rememberTurn(store, {
    ...turn(),
    summary: { completed: 'The first row is grafted.', nextSteps: 'Row two.' },
  });
  rememberTurn(store, {
    ...turn(),
    observations: [
      {
        title: 'Wax melts at noon',
        type: 'gotcha',
        narrative: 'Cover it with raffia.',
        filesModified: ['labels/north.csv'],
      },
      {
        title: 'Use whip grafts',
        type: 'decision',
        narrative: 'They heal faster than cleft grafts.',
        filesModified: ['rows.txt'],
      },
    ],
    summary: { completed: 'The second row is grafted too.', nextSteps: 'Graft row three. Label it.' },
  });
  time += 1_000;
  tell({ kind: 'prompt', text: 'go on with row three', origin: 'person' });
  run('npm test', 'failure', 'Exit code 1\nAssertionError');
  run('npm test', 'success', 'ok');
  run('cat missing.txt', 'failure', 'Exit code 1\ncat: missing.txt: No such file');
  run(
    `cd ${folder} && npm run label -- --all`,
    'failure',
    'Exit code 2\nstarting\nError: the printer has no paper',
  );
  tell({
    kind: 'turn-end',
    text: 'Row three waits.\n\nShall the third row be labelled in Latin?',
    continued: false,
  });
  const workId = work.id;
  const task = { workId, description: '', source: 'agent', key: null, at: time } as const;
  store.addTask({ ...task, subject: 'row one', state: 'done' });
  store.addTask({ ...task, subject: 'row zero', state: 'dropped' });
  store.addTask({ ...task, subject: 'row three', state: 'open' });
  store.addPlan({
    workId,
    text: '# Plan\n1. graft',
    hash: 'h',
    state: 'accepted',
    agentSession: 'first',
    at: time,
  });
  store.addWorkNote(workId, 'not when it rains', time);
}

type Bare = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, 'sessionId'> : never) : never;
let serial = 0;

function tell(event: Bare): void {
  time += 1;
  const spoolName = `event-${serial++}`;
  const full = { ...event, sessionId: 'first', cwd: folder } as AgentEvent;
  const head = { agent: 'claude-code', via: 'settings', at: time };
  const captured: CapturedEvent = { ...head, event: full, priority: 'normal', spoolName };
  store.ingest(
    [{ ...head, name: spoolName, hook: 'Hook', place: findPlace(folder), events: [captured] }],
    time,
  );
}

function run(command: string, outcome: 'success' | 'failure', response: string): void {
  const call = {
    id: `call-${serial}`,
    name: 'Bash',
    input: { command },
    does: 'command' as const,
    files: [],
  };
  tell({ kind: 'tool-end', call, outcome, response, reportedBy: 'call' });
}
