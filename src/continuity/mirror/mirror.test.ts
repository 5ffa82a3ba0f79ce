import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { takeFromOutbox } from '../../capture/outbox.ts';
import { createLog } from '../../platform/log.ts';
import { type Paths, pathsOf } from '../../platform/paths.ts';
import type { NewNote } from '../../store/curation-store.ts';
import { tryLock } from '../../store/sqlite/lock.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type MirrorWorld, mirrorWorks, readBackEdits } from './mirror.ts';
import { isAsWritten } from './state-file.ts';

let store: Store;
let paths: Paths;
let world: MirrorWorld;
let projectId: number;
const at = Date.UTC(2026, 2, 1, 12);

beforeEach(() => {
  paths = pathsOf(join(tempFolder(), '.cairn'));
  store = openSqliteStore(paths.database);
  const log = createLog({ folder: paths.logs, from: 'test' });
  world = { store, paths, log, now: () => at };
  projectId = store.projectFor({ name: 'orchard', path: '/orchard' }, { now: at }) ?? 0;
});
afterEach(() => store.close());

describe('what is written', () => {
  test('a state file that tells all of it, for its owner only', () => {
    const { id } = graftPears();
    expect(mirrorWorks(world)).toEqual([
      { work: 'graft-pears', deed: 'written', taken: [], refused: [], kept: [] },
    ]);
    const { about, written, plans, handoffs, changed, ...state } = stateOf('graft-pears');
    expect(state).toEqual({
      format: 1,
      id,
      name: 'graft-pears',
      title: 'Graft the pears',
      mode: 'idle',
      nextSteps: 'the last row',
      tasks: [
        { number: 1, state: 'done', subject: 'cut scions' },
        { number: 2, state: 'open', subject: 'bind them' },
      ],
      notes: [{ at: '2026-03-01T12:00:00.000Z', text: 'not when it rains' }],
      project: 'orchard',
      branch: 'main',
      worktree: null,
      opened: '2026-03-01T12:00:00.000Z',
      closed: null,
      sessions: [
        { agent: 'claude-code', session: 's-1', by: 'new', bound: '2026-03-01T12:00:00.000Z', ended: null },
      ],
      git: {
        at: '2026-03-01T12:00:00.000Z',
        moment: 'handoff',
        folder: '/orchard',
        dirty: ['a'],
        moreDirty: 0,
      },
    });
    const plan = { version: 1, state: 'accepted', at: '2026-03-01T12:00:00.000Z', file: 'plan-v1.md' };
    expect(plans).toEqual([{ ...plan, hash: expect.any(String) }]);
    const handoff = { number: 1, state: 'staged', by: 'person', at: '2026-03-01T12:00:00.000Z' };
    expect(handoffs).toEqual([{ ...handoff, file: 'handoff-1.md', hash: expect.any(String) }]);
    expect(text('graft-pears/plan-v1.md')).toBe('# Plan\n\n1. cut\n');
    expect(text('graft-pears/handoff-1.md')).toMatch(/^# Handoff 1 of graft-pears: Graft the pears\n/);
    expect(statSync(join(paths.works, 'graft-pears/state.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(paths.works, 'graft-pears')).mode & 0o777).toBe(0o700);
  });

  test('an index of all works', () => {
    open('water-figs');
    graftPears();
    store.changeWork(open('rake').id, { closedAt: at }, at);
    mirrorWorks(world);
    const { works } = JSON.parse(text('index.json'));
    expect(
      works.map(({ name, mode, closed, file }: Record<string, string>) => [name, mode, closed, file]),
    ).toEqual([
      ['graft-pears', 'idle', null, 'graft-pears/state.json'],
      ['rake', 'idle', '2026-03-01T12:00:00.000Z', 'rake/state.json'],
      ['water-figs', 'idle', null, 'water-figs/state.json'],
    ]);
  });

  test('nothing where nothing has changed', () => {
    graftPears();
    mirrorWorks(world);
    expect(mirrorWorks(world)).toEqual([]);
    expect(readBackEdits(world)).toEqual([]);
  });

  test('what somebody deleted comes back with the next change', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    rmSync(paths.works, { recursive: true });
    store.addWorkNote(id, 'again', at);
    mirrorWorks(world);
    expect(files('graft-pears')).toEqual(['handoff-1.md', 'plan-v1.md', 'state.json']);
  });

  test('the folder of a renamed work moves, with what lies in it', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    writeFileSync(join(paths.works, 'graft-pears/mine.txt'), 'mine');
    store.changeWork(id, { name: 'graft-apples' }, at);
    mirrorWorks(world);
    expect(readdirSync(paths.works).sort()).toEqual(['graft-apples', 'index.json']);
    expect(files('graft-apples')).toEqual(['handoff-1.md', 'mine.txt', 'plan-v1.md', 'state.json']);
  });

  test('the folder of a work that is gone goes, but not what a database does not know of', () => {
    const foreign = join(paths.works, 'of-a-lost-database');
    const gone = join(paths.works, 'gone');
    for (const [folder, id] of [
      [foreign, 900],
      [gone, 1],
    ] as const) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'state.json'), JSON.stringify({ format: 1, id }));
    }
    open('one');
    open('two');
    mirrorWorks(world);
    expect(readdirSync(paths.works).sort()).toEqual(['index.json', 'of-a-lost-database', 'one', 'two']);
  });

  test('one that cannot be written keeps the others from nothing', () => {
    open('blocked');
    open('fine');
    mkdirSync(join(paths.works, 'blocked/state.json'), { recursive: true });
    expect(mirrorWorks(world).map(({ work, deed }) => [work, deed])).toEqual([
      ['blocked', 'failed'],
      ['fine', 'written'],
    ]);
    expect(takeFromOutbox(paths)).toBeNull();
  });

  test('while somebody else writes it is left to them', () => {
    open('one');
    mkdirSync(paths.state, { recursive: true });
    const release = tryLock(paths.worksLock);
    expect(mirrorWorks(world)).toEqual([]);
    release?.();
    expect(mirrorWorks(world)).toHaveLength(1);
  });
});

describe('edited by hand', () => {
  test.each<[string, (state: State) => unknown, string[], Partial<State>]>([
    ['its title', (state) => ({ ...state, title: 'Graft  all' }), ['its title'], { title: 'Graft all' }],
    [
      'its next steps',
      (state) => ({ ...state, nextSteps: 'rest' }),
      ['its next steps'],
      { nextSteps: 'rest' },
    ],
    [
      'its mode',
      (state) => ({ ...state, mode: 'has_handoff' }),
      ['its mode is has_handoff'],
      { mode: 'has_handoff' },
    ],
    [
      'a task that is done',
      (state) => ({ ...state, tasks: state.tasks.map((task) => ({ ...task, state: 'done' })) }),
      ['task 2 is done'],
      {
        tasks: [
          { number: 1, state: 'done', subject: 'cut scions' },
          { number: 2, state: 'done', subject: 'bind them' },
        ],
      },
    ],
    [
      'new tasks, other words, and one taken away',
      (state) => ({
        ...state,
        tasks: [{ ...state.tasks[0], subject: 'cut' }, 'wax', { number: 9, state: 'doing', subject: 'wait' }],
      }),
      ['the words of task 1', 'task 3 is new', 'task 4 is new', 'task 2 is dropped'],
      {
        tasks: [
          { number: 1, state: 'done', subject: 'cut' },
          { number: 2, state: 'dropped', subject: 'bind them' },
          { number: 3, state: 'open', subject: 'wax' },
          { number: 4, state: 'doing', subject: 'wait' },
        ],
      },
    ],
    [
      'a note',
      (state) => ({ ...state, notes: [...state.notes, 'buy wax'] }),
      ['a note'],
      {
        notes: [
          { at: '2026-03-01T12:00:00.000Z', text: 'not when it rains' },
          { at: '2026-03-01T12:00:00.000Z', text: 'buy wax' },
        ],
      },
    ],
    ['only its form', (state) => state, [], {}],
    [
      'a secret',
      (state) => ({ ...state, title: `key ${SECRET}` }),
      ['its title'],
      { title: expect.stringMatching(/redacted/) },
    ],
  ])('%s is read back', (_, edit, taken, changed) => {
    graftPears();
    mirrorWorks(world);
    const before = stateOf('graft-pears');
    write('graft-pears/state.json', JSON.stringify(edit(before)));
    expect(readBackEdits(world)).toEqual([
      { work: 'graft-pears', deed: 'read back', taken, refused: [], kept: [] },
    ]);
    // A handoff names the work as it is called now.
    const others = {
      written: expect.any(String),
      changed: expect.any(String),
      handoffs: [expect.any(Object)],
    };
    expect(stateOf('graft-pears')).toEqual({ ...before, ...others, ...changed });
    expect(isAsWritten(text('graft-pears/state.json'))).toBe(true);
    expect(readBackEdits(world)).toEqual([]);
    expect(mirrorWorks(world)).toEqual([]);
  });

  test('its name: the folder is called so too', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    write('graft-pears/state.json', JSON.stringify({ ...stateOf('graft-pears'), name: 'graft-all' }));
    readBackEdits(world);
    expect(store.work(id)?.name).toBe('graft-all');
    expect(readdirSync(paths.works).sort()).toEqual(['graft-all', 'index.json']);
    expect(stateOf('graft-all').name).toBe('graft-all');
  });

  test('the accepted plan is its next version', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    write('graft-pears/plan-v1.md', '# Plan\n\n1. cut\n2. bind\n');
    expect(readBackEdits(world)).toEqual([
      { work: 'graft-pears', deed: 'read back', taken: ['its plan'], refused: [], kept: [] },
    ]);
    expect(store.plansOf(id).map(({ version, state, text }) => [version, state, text])).toEqual([
      [2, 'accepted', '# Plan\n\n1. cut\n2. bind'],
      [1, 'replaced', '# Plan\n\n1. cut'],
    ]);
    expect(text('graft-pears/plan-v1.md')).toBe('# Plan\n\n1. cut\n');
    expect(text('graft-pears/plan-v2.md')).toBe('# Plan\n\n1. cut\n2. bind\n');
  });

  test('what the database has changed since is not taken back', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    const edited = { ...stateOf('graft-pears'), nextSteps: 'theirs' };
    const [, second] = store.tasksOf(id);
    store.changeTask(second?.id ?? 0, { state: 'done' }, 'agent', at);
    store.changeWork(id, { mode: 'active', title: 'Newer title' }, at);
    write('graft-pears/state.json', JSON.stringify(edited));
    mirrorWorks(world);
    expect(store.work(id)).toMatchObject({ mode: 'active', title: 'Newer title', nextSteps: 'theirs' });
    expect(store.tasksOf(id).map(({ state }) => state)).toEqual(['done', 'done']);
  });

  test('after a kill between reading back and writing, nothing is taken twice', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    const state = stateOf('graft-pears');
    const edited = JSON.stringify({
      ...state,
      tasks: [...state.tasks, 'wax'],
      notes: [...state.notes, 'soon'],
    });
    for (let time = 0; time < 2; time++) {
      write('graft-pears/state.json', edited);
      readBackEdits(world);
    }
    expect(store.tasksOf(id).map(({ subject }) => subject)).toEqual(['cut scions', 'bind them', 'wax']);
    expect(store.workNotes(id).map(({ text }) => text)).toEqual(['not when it rains', 'soon']);
  });

  test('after a kill between writing and noting it, nothing is taken for an edit', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    const mirror = store.mirrorOf(id);
    store.changeWork(id, { title: 'Second' }, at);
    mirrorWorks(world);
    if (mirror) store.noteMirrored(id, mirror);
    store.changeWork(id, { title: 'Third' }, at);
    expect(mirrorWorks(world)).toMatchObject([{ deed: 'written' }]);
    expect(stateOf('graft-pears').title).toBe('Third');
  });

  test.each<[string, string, string]>([
    ['no JSON', '{"title": "half', 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
    ['nonsense', '{"format":1,"tasks":"all"}', 'tasks is "all", not a list'],
  ])('%s is set aside, with a word about it, and nothing is lost', (_, nonsense, why) => {
    const { id } = graftPears();
    mirrorWorks(world);
    write('graft-pears/state.json', nonsense);
    store.addWorkNote(id, 'and', at);
    const kept = join(paths.works, 'graft-pears/state.json.set-aside-2026-03-01T12-00-00-000Z');
    expect(mirrorWorks(world)).toEqual([
      {
        work: 'graft-pears',
        deed: 'set aside',
        taken: [],
        refused: [expect.stringContaining(why)],
        kept: [kept],
      },
    ]);
    expect(readFileSync(kept, 'utf8')).toBe(nonsense);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(stateOf('graft-pears').title).toBe('Graft the pears');
    expect(takeFromOutbox(paths)).toMatch(
      /^Cairn: what you edited of the work "graft-pears" could not be read: .+set-aside/,
    );
    write('graft-pears/state.json', nonsense);
    readBackEdits(world);
    expect(files('graft-pears').filter((name) => name.includes('aside'))).toHaveLength(2);
  });

  test.each<[string, (state: State) => unknown, string]>([
    ['a field of their own', (state) => ({ ...state, colour: 'red' }), 'there is no field "colour"'],
    ['a note taken away', (state) => ({ ...state, notes: [] }), 'notes can be added there, not taken away'],
    [
      'a mode without what it speaks of',
      (state) => ({ ...state, mode: 'has_plan' }),
      'there is no accepted plan',
    ],
    [
      'a name that is none',
      (state) => ({ ...state, name: '../x' }),
      '"../x" cannot be a name: small letters, digits and hyphens, 40 at most',
    ],
    [
      'what only tells how things are',
      (state) => ({ ...state, sessions: [] }),
      'only name, title, mode, nextSteps, tasks and notes can be changed there',
    ],
  ])('%s is refused, and theirs is kept', (_, edit, why) => {
    const { id } = graftPears();
    store.setPlanState(store.acceptedPlan(id)?.id ?? 0, 'finished', at);
    mirrorWorks(world);
    const edited = JSON.stringify(edit({ ...stateOf('graft-pears'), title: 'Theirs' }));
    write('graft-pears/state.json', edited);
    const told: string[] = [];
    const [outcome] = readBackEdits({ ...world, tell: (notice) => told.push(notice) });
    expect(outcome).toMatchObject({ deed: 'read back', taken: ['its title'], refused: [why] });
    expect(readFileSync(outcome?.kept[0] ?? '', 'utf8')).toBe(edited);
    expect(told).toEqual([expect.stringContaining(why)]);
    expect(store.work(id)).toMatchObject({ name: 'graft-pears', title: 'Theirs', mode: 'idle' });
  });

  test('the file of a handoff is set aside and written again', () => {
    const { id } = graftPears();
    mirrorWorks(world);
    const before = text('graft-pears/handoff-1.md');
    write('graft-pears/handoff-1.md', 'mine');
    store.addWorkNote(id, 'and', at);
    expect(mirrorWorks(world)).toMatchObject([
      { deed: 'written', refused: ['handoff-1.md: plans and handoffs are not changed in their files'] },
    ]);
    expect(text('graft-pears/handoff-1.md')).toBe(before);
    expect(files('graft-pears').filter((name) => name.startsWith('handoff-1.md.set-aside'))).toHaveLength(1);
  });
});

test('what was forgotten is in no file, and a file edited meanwhile does not bring it back', () => {
  const { id } = graftPears();
  const secret = 'the violet orchid stands behind the northern greenhouse wall';
  store.addTask({ ...TASK, workId: id, subject: secret, at });
  store.changeWork(id, { nextSteps: `Remember: ${secret}.` }, at);
  mirrorWorks(world);
  const edited = { ...stateOf('graft-pears'), title: 'Theirs' };
  const { id: note } = store.addNote(
    { ...NOTE, title: secret, place: { path: '/orchard', name: 'orchard' } },
    at,
  );
  store.forget({ memories: [note], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, at);
  write('graft-pears/state.json', JSON.stringify(edited));
  mirrorWorks(world);
  expect(stateOf('graft-pears').title).toBe('Theirs');
  for (const name of files('graft-pears')) expect(text(`graft-pears/${name}`)).not.toContain('violet');
});

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH-abcdefgh';
const TASK = { description: '', state: 'open', source: 'agent', key: null } as const;
const NOTE: Omit<NewNote, 'title' | 'place'> = {
  type: null,
  narrative: '',
  aliases: [],
  files: [],
  pins: [],
  scope: 'project',
  saidBy: 'person',
  isPinned: false,
};

interface State {
  title: string;
  name: string;
  mode: string;
  nextSteps: string;
  tasks: { number: number; state: string; subject: string }[];
  notes: unknown[];
  [field: string]: unknown;
}

function open(name: string) {
  return store.addWork({ name, title: name, projectId, branch: null, worktree: null, at });
}

/** A work with something of everything. */
function graftPears() {
  const work = store.addWork({
    name: 'graft-pears',
    title: 'Graft the pears',
    projectId,
    branch: 'main',
    worktree: null,
    at,
  });
  const workId = work.id;
  store.changeWork(workId, { nextSteps: 'the last row' }, at);
  store.bindSession({ agent: 'claude-code', agentSession: 's-1', workId, by: 'new', at });
  store.addTask({ ...TASK, workId, subject: 'cut scions', state: 'done', at });
  store.addTask({ ...TASK, workId, subject: 'bind them', at });
  store.addWorkNote(workId, 'not when it rains', at);
  store.addPlan({ workId, text: '# Plan\n\n1. cut', hash: 'h', state: 'accepted', agentSession: 's-1', at });
  const git = { dirty: ['a'], moreDirty: 0 };
  store.noteGitState({ moment: 'handoff', agentSession: 's-1', workId, folder: '/orchard', state: git, at });
  const parts = {
    ...{ goal: 'pears', state: 'half done', note: '', decisions: [], deadEnds: [] },
    ...{ files: [], questions: [], nextSteps: [] },
  };
  const about = { tasks: [], plan: null, git: null, by: 'person', agentSession: null } as const;
  store.addHandoff({ workId, parts, ...about, tasks: [], at });
  return work;
}

function stateOf(name: string): State {
  return JSON.parse(text(`${name}/state.json`));
}

function text(name: string): string {
  return readFileSync(join(paths.works, name), 'utf8');
}

function write(name: string, content: string): void {
  writeFileSync(join(paths.works, name), content);
}

function files(name: string): string[] {
  return existsSync(join(paths.works, name)) ? readdirSync(join(paths.works, name)).sort() : [];
}
