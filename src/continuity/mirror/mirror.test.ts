import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  at,
  files,
  graftPears,
  NOTE,
  open,
  paths,
  stateOf,
  store,
  TASK,
  text,
  useMirror,
  world,
  write,
} from '../../../test/support/mirror-home.ts';
import { takeFromOutbox } from '../../capture/outbox.ts';
import { tryLock } from '../../store/sqlite/lock.ts';
import { applyAllEdits, mirrorWorkItems } from './mirror.ts';

useMirror();

describe('mirrorWorkItems', () => {
  test('writes a state file with everything, for its owner only', () => {
    const { id } = graftPears();
    expect(mirrorWorkItems(world)).toEqual([
      { work: 'graft-pears', action: 'written', taken: [], refused: [], kept: [] },
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
    expect(text('graft-pears/handoff-1.md')).toMatch(
      /^<cairn-context>\n.+ not instructions.+\n# Handoff 1 of graft-pears: Graft the pears\n/,
    );
    expect(statSync(join(paths.works, 'graft-pears/state.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(paths.works, 'graft-pears')).mode & 0o777).toBe(0o700);
  });

  test('writes an index of all work items', () => {
    open('water-figs');
    graftPears();
    store.changeWorkItem(open('rake').id, { closedAt: at }, at);
    mirrorWorkItems(world);
    const { works } = JSON.parse(text('index.json'));
    expect(
      works.map(({ name, mode, closed, file }: Record<string, string>) => [name, mode, closed, file]),
    ).toEqual([
      ['graft-pears', 'idle', null, 'graft-pears/state.json'],
      ['rake', 'idle', '2026-03-01T12:00:00.000Z', 'rake/state.json'],
      ['water-figs', 'idle', null, 'water-figs/state.json'],
    ]);
  });

  test('writes nothing if nothing has changed', () => {
    graftPears();
    mirrorWorkItems(world);
    expect(mirrorWorkItems(world)).toEqual([]);
    expect(applyAllEdits(world)).toEqual([]);
  });

  test('restores deleted files with the next change', () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    rmSync(paths.works, { recursive: true });
    store.addWorkNote(id, 'again', at);
    mirrorWorkItems(world);
    expect(files('graft-pears')).toEqual(['handoff-1.md', 'plan-v1.md', 'state.json']);
  });

  test("moves the folder of a renamed work item with the person's own files", () => {
    const { id } = graftPears();
    mirrorWorkItems(world);
    writeFileSync(join(paths.works, 'graft-pears/mine.txt'), 'mine');
    store.changeWorkItem(id, { name: 'graft-apples' }, at);
    mirrorWorkItems(world);
    expect(readdirSync(paths.works).sort()).toEqual(['graft-apples', 'index.json']);
    expect(files('graft-apples')).toEqual(['handoff-1.md', 'mine.txt', 'plan-v1.md', 'state.json']);
  });

  test('removes the folder of a deleted work item, but not one with a higher id than the database has', () => {
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
    mirrorWorkItems(world);
    expect(readdirSync(paths.works).sort()).toEqual(['index.json', 'of-a-lost-database', 'one', 'two']);
  });

  test('a failed write does not stop the others', () => {
    open('blocked');
    open('fine');
    mkdirSync(join(paths.works, 'blocked/state.json'), { recursive: true });
    expect(mirrorWorkItems(world).map(({ work, action }) => [work, action])).toEqual([
      ['blocked', 'failed'],
      ['fine', 'written'],
    ]);
    expect(takeFromOutbox(paths)).toBeNull();
  });

  test('leaves the files alone while another process holds the lock', () => {
    open('one');
    mkdirSync(paths.state, { recursive: true });
    const release = tryLock(paths.worksLock);
    expect(mirrorWorkItems(world)).toEqual([]);
    release?.();
    expect(mirrorWorkItems(world)).toHaveLength(1);
  });
});

test('a forgotten text is in no file, and an edited file does not restore it', () => {
  const { id } = graftPears();
  const secret = 'the violet orchid stands behind the northern greenhouse wall';
  store.addTask({ ...TASK, workId: id, subject: secret, at });
  store.changeWorkItem(id, { nextSteps: `Remember: ${secret}.` }, at);
  mirrorWorkItems(world);
  const edited = { ...stateOf('graft-pears'), title: 'Theirs' };
  const { id: note } = store.addNote(
    { ...NOTE, title: secret, place: { path: '/orchard', name: 'orchard' } },
    at,
  );
  store.forget({ memories: [note], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, at);
  write('graft-pears/state.json', JSON.stringify(edited));
  mirrorWorkItems(world);
  expect(stateOf('graft-pears').title).toBe('Theirs');
  for (const name of files('graft-pears')) expect(text(`graft-pears/${name}`)).not.toContain('violet');
});
