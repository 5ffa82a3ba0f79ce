import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  at,
  files,
  graftPears,
  paths,
  SECRET,
  type State,
  stateOf,
  store,
  text,
  useMirror,
  world,
  write,
} from '../../../test/support/mirror-home.ts';
import { takeFromOutbox } from '../../capture/outbox.ts';
import { applyAllEdits, mirrorWorkItems } from './mirror.ts';
import { isUnedited } from './state-file.ts';

useMirror();

describe('editing by hand', () => {
  test.each<[string, (state: State) => unknown, string[], Partial<State>]>([
    ['the title', (state) => ({ ...state, title: 'Graft  all' }), ['its title'], { title: 'Graft all' }],
    [
      'the next steps',
      (state) => ({ ...state, nextSteps: 'rest' }),
      ['its next steps'],
      { nextSteps: 'rest' },
    ],
    [
      'the mode',
      (state) => ({ ...state, mode: 'has_handoff' }),
      ['its mode is has_handoff'],
      { mode: 'has_handoff' },
    ],
    [
      'a finished task',
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
      'new, reworded and removed tasks',
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
    ['the formatting only', (state) => state, [], {}],
    [
      'a secret',
      (state) => ({ ...state, title: `key ${SECRET}` }),
      ['its title'],
      { title: expect.stringMatching(/redacted/) },
    ],
  ])('%s is read back', (_, edit, taken, changed) => {
    graftPears();
    mirrorWorkItems(world);
    const before = stateOf('graft-pears');
    write('graft-pears/state.json', JSON.stringify(edit(before)));
    expect(applyAllEdits(world)).toEqual([
      { work: 'graft-pears', action: 'read back', taken, refused: [], kept: [] },
    ]);
    // The file of a handoff contains the title of the work item, so its hash changes.
    const others = {
      written: expect.any(String),
      changed: expect.any(String),
      handoffs: [expect.any(Object)],
    };
    expect(stateOf('graft-pears')).toEqual({ ...before, ...others, ...changed });
    expect(isUnedited(text('graft-pears/state.json'))).toBe(true);
    expect(applyAllEdits(world)).toEqual([]);
    expect(mirrorWorkItems(world)).toEqual([]);
  });

  test('changing the name renames the folder', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    write('graft-pears/state.json', JSON.stringify({ ...stateOf('graft-pears'), name: 'graft-all' }));
    applyAllEdits(world);
    expect(store.getWorkItem(id)?.name).toBe('graft-all');
    expect(readdirSync(paths.works).sort()).toEqual(['graft-all', 'index.json']);
    expect(stateOf('graft-all').name).toBe('graft-all');
  });

  test('an edit of the accepted plan becomes its next version', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    write('graft-pears/plan-v1.md', '# Plan\n\n1. cut\n2. bind\n');
    expect(applyAllEdits(world)).toEqual([
      { work: 'graft-pears', action: 'read back', taken: ['its plan'], refused: [], kept: [] },
    ]);
    expect(store.listPlans(id).map(({ version, state, text }) => [version, state, text])).toEqual([
      [2, 'accepted', '# Plan\n\n1. cut\n2. bind'],
      [1, 'replaced', '# Plan\n\n1. cut'],
    ]);
    expect(text('graft-pears/plan-v1.md')).toBe('# Plan\n\n1. cut\n');
    expect(text('graft-pears/plan-v2.md')).toBe('# Plan\n\n1. cut\n2. bind\n');
  });

  test('an edit of an outdated file does not undo newer changes in the database', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    const edited = { ...stateOf('graft-pears'), nextSteps: 'theirs' };
    const [, second] = store.listTasks(id);
    store.changeTask(second?.id ?? 0, { state: 'done' }, 'agent', at);
    store.changeWorkItem(id, { mode: 'active', title: 'Newer title' }, at);
    write('graft-pears/state.json', JSON.stringify(edited));
    mirrorWorkItems(world);
    expect(store.getWorkItem(id)).toMatchObject({
      mode: 'active',
      title: 'Newer title',
      nextSteps: 'theirs',
    });
    expect(store.listTasks(id).map(({ state }) => state)).toEqual(['done', 'done']);
  });

  test('after a kill between reading back and writing, no edit is applied twice', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    const state = stateOf('graft-pears');
    const edited = JSON.stringify({
      ...state,
      tasks: [...state.tasks, 'wax'],
      notes: [...state.notes, 'soon'],
    });
    for (let time = 0; time < 2; time++) {
      write('graft-pears/state.json', edited);
      applyAllEdits(world);
    }
    expect(store.listTasks(id).map(({ subject }) => subject)).toEqual(['cut scions', 'bind them', 'wax']);
    expect(store.listWorkNotes(id).map(({ text }) => text)).toEqual(['not when it rains', 'soon']);
  });

  test('after a kill between writing and recording it, the file does not count as edited', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    const mirror = store.getMirror(id);
    store.changeWorkItem(id, { title: 'Second' }, at);
    mirrorWorkItems(world);
    if (mirror) store.saveMirror(id, mirror);
    store.changeWorkItem(id, { title: 'Third' }, at);
    expect(mirrorWorkItems(world)).toMatchObject([{ action: 'written' }]);
    expect(stateOf('graft-pears').title).toBe('Third');
  });

  test.each<[string, string, string]>([
    ['invalid JSON', '{"title": "half', 'it is not JSON'],
    ['an empty file', '', 'it is not JSON'],
    ['a wrong type', '{"format":1,"tasks":"all"}', 'tasks is "all", not a list'],
  ])('%s is set aside with a notice, and nothing is lost', (_, nonsense, why) => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    write('graft-pears/state.json', nonsense);
    store.addWorkNote(id, 'and', at);
    const kept = join(paths.works, 'graft-pears/state.json.set-aside-2026-03-01T12-00-00-000Z');
    expect(mirrorWorkItems(world)).toEqual([
      {
        work: 'graft-pears',
        action: 'set aside',
        taken: [],
        refused: [expect.stringContaining(why)],
        kept: [kept],
      },
    ]);
    expect(readFileSync(kept, 'utf8')).toBe(nonsense);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(stateOf('graft-pears').title).toBe('Graft the pears');
    expect(takeFromOutbox(paths)).toMatch(
      /^Cairn: your edit of the work item "graft-pears" could not be read: .+set-aside/,
    );
    write('graft-pears/state.json', nonsense);
    applyAllEdits(world);
    expect(files('graft-pears').filter((name) => name.includes('aside'))).toHaveLength(2);
  });

  test.each<[string, (state: State) => unknown, string]>([
    ['an unknown field', (state) => ({ ...state, colour: 'red' }), 'there is no field "colour"'],
    ['a removed note', (state) => ({ ...state, notes: [] }), 'notes can be added there, not removed'],
    [
      'a mode without the plan it needs',
      (state) => ({ ...state, mode: 'has_plan' }),
      'there is no accepted plan',
    ],
    [
      'an invalid name',
      (state) => ({ ...state, name: '../x' }),
      '"../x" cannot be a name: small letters, digits and hyphens, 40 at most',
    ],
    [
      'a read-only field',
      (state) => ({ ...state, sessions: [] }),
      'only name, title, mode, nextSteps, tasks and notes can be changed there',
    ],
  ])('%s is refused, and the edited file is kept', (_, edit, why) => {
    const { id } = graftPears();
    store.setPlanState(store.findAcceptedPlan(id)?.id ?? 0, 'finished', at);
    mirrorWorkItems(world);
    const edited = JSON.stringify(edit({ ...stateOf('graft-pears'), title: 'Theirs' }));
    write('graft-pears/state.json', edited);
    const notices: string[] = [];
    const [outcome] = applyAllEdits({ ...world, notify: (notice) => notices.push(notice) });
    expect(outcome).toMatchObject({ action: 'read back', taken: ['its title'], refused: [why] });
    expect(readFileSync(outcome?.kept[0] ?? '', 'utf8')).toBe(edited);
    expect(notices).toEqual([expect.stringContaining(why)]);
    expect(store.getWorkItem(id)).toMatchObject({ name: 'graft-pears', title: 'Theirs', mode: 'idle' });
  });

  test('an edited handoff file is set aside and written again', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    const before = text('graft-pears/handoff-1.md');
    write('graft-pears/handoff-1.md', 'mine');
    store.addWorkNote(id, 'and', at);
    expect(mirrorWorkItems(world)).toMatchObject([
      { action: 'written', refused: ['handoff-1.md: plans and handoffs are not changed in their files'] },
    ]);
    expect(text('graft-pears/handoff-1.md')).toBe(before);
    expect(files('graft-pears').filter((name) => name.startsWith('handoff-1.md.set-aside'))).toHaveLength(1);
  });
});
