import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import { handoff, MEADOW, type Orchard, plan, task } from './continuity-set-up.ts';

/** Work items with their names, notes, git states and state files. */
export function worksContract(orchard: Orchard): void {
  const { addWork, bind, projectAt, take } = orchard;
  let store: PlainStore;
  let project: number;
  beforeEach(() => {
    store = orchard.store();
    project = orchard.project();
  });

  describe('fields and names', () => {
    it('stores all fields', () => {
      const work = addWork('prune-trees', {
        title: 'Prune the trees',
        branch: 'main',
        worktree: '/orchard',
      });
      expect(work).toEqual({
        id: 1,
        name: 'prune-trees',
        title: 'Prune the trees',
        mode: 'idle',
        projectId: project,
        project: 'orchard',
        branch: 'main',
        worktree: '/orchard',
        nextSteps: '',
        nextStepsAt: 0,
        openedAt: 100,
        changedAt: 100,
        closedAt: null,
      });
      expect(store.getWorkItem(1)).toEqual(work);
      expect(store.getWorkItem(2)).toBeNull();
    });

    it('changes only the given fields', () => {
      const work = addWork('prune');
      const change = {
        title: 'Prune',
        mode: 'active',
        branch: 'feature',
        worktree: '/elsewhere',
        nextSteps: 'the pears',
      } as const;
      expect(store.changeWorkItem(1, change, 200)).toEqual({ ...work, ...change, changedAt: 200 });
      expect(store.changeWorkItem(1, { branch: null, closedAt: 300 }, 300)).toEqual({
        ...work,
        ...change,
        branch: null,
        closedAt: 300,
        changedAt: 300,
      });
      expect(() => store.changeWorkItem(7, { title: 'x' }, 1)).toThrow('There is no work item 7.');
    });

    it('leaves the time of change alone if no value differs', () => {
      const work = addWork('prune');
      const { name: same, title, mode, nextSteps } = work;
      expect(store.changeWorkItem(1, { name: same, title, mode, nextSteps }, 200)).toEqual(work);
      expect(store.changeWorkItem(1, {}, 200)).toEqual(work);
    });

    it('appends a number to a name that is or was taken, ignoring case', () => {
      const names = ['prune', 'prune', 'Prune', 'prune-2'].map((wanted) => addWork(wanted).name);
      expect(names).toEqual(['prune', 'prune-2', 'Prune-3', 'prune-2-2']);
      store.changeWorkItem(1, { name: 'graft' }, 200);
      expect(addWork('prune').name).toBe('prune-4');
      expect(store.changeWorkItem(2, { name: 'graft' }, 200).name).toBe('graft-2');
    });

    it('finds a work item by current and former names', () => {
      addWork('prune');
      addWork('water');
      store.changeWorkItem(1, { name: 'graft' }, 200);
      store.changeWorkItem(1, { name: 'plant' }, 300);
      const found = (named: string) => store.findWorkItem(named)?.id ?? null;
      expect(['prune', 'graft', 'plant', 'PLANT', 'water', 'mow'].map(found)).toEqual([1, 1, 1, 1, 2, null]);
      expect(store.changeWorkItem(1, { name: 'prune' }, 400).name).toBe('prune');
      expect(['prune', 'graft', 'plant'].map(found)).toEqual([1, 1, 1]);
      expect(store.changeWorkItem(1, { name: 'Prune' }, 500).name).toBe('Prune');
      expect(['prune', 'plant'].map(found)).toEqual([1, 1]);
    });

    it('lists work items, last changed first', () => {
      const meadow = projectAt(MEADOW);
      addWork('one', { at: 100 });
      addWork('two', { at: 200 });
      addWork('three', { at: 300, projectId: meadow });
      store.changeWorkItem(1, { mode: 'has_plan' }, 400);
      store.changeWorkItem(2, { closedAt: 500 }, 500);
      const names = (query: Partial<Parameters<PlainStore['listWorkItems']>[0]>) =>
        store.listWorkItems({ limit: 9, ...query }).map((work) => work.name);
      expect(names({})).toEqual(['one', 'three']);
      expect(names({ withClosed: true })).toEqual(['two', 'one', 'three']);
      expect(names({ withClosed: true, limit: 2 })).toEqual(['two', 'one']);
      expect(names({ projectId: project })).toEqual(['one']);
      expect(names({ projectId: meadow, withClosed: true })).toEqual(['three']);
      expect(names({ modes: ['has_plan', 'active'] })).toEqual(['one']);
      expect(names({ modes: [] })).toEqual([]);
    });

    it('lists work items of a merged project under the other project until a split', () => {
      const meadow = projectAt(MEADOW);
      addWork('mow', { projectId: meadow });
      store.mergeProjects(meadow, project);
      expect(store.listWorkItems({ projectId: project, limit: 9 })).toMatchObject([
        { name: 'mow', projectId: project, project: 'orchard' },
      ]);
      store.addHandoff(handoff({ workId: 1 }));
      expect(store.listHandoffs({ projectId: project, limit: 9 })).toHaveLength(1);
      store.splitProject(meadow);
      expect(store.listWorkItems({ projectId: project, limit: 9 })).toEqual([]);
      expect(store.getWorkItem(1)).toMatchObject({ projectId: meadow, project: 'meadow' });
    });

    it('stores notes in order', () => {
      addWork('prune');
      addWork('water');
      const first = store.addWorkNote(1, 'the ladder is in the barn', 200);
      store.addWorkNote(2, 'at dusk', 250);
      const second = store.addWorkNote(1, 'ask Robin', 300);
      expect(first).toEqual({ id: 1, text: 'the ladder is in the barn', at: 200 });
      expect(store.listWorkNotes(1)).toEqual([first, second]);
    });

    it('stores git states, latest first', () => {
      addWork('prune');
      const snapshot = { agentSession: 's', workId: 1, folder: '/orchard' };
      const start = { ...snapshot, moment: 'start', state: { dirty: [], moreDirty: 0 }, at: 100 } as const;
      const end = {
        ...snapshot,
        moment: 'end',
        agentSession: null,
        state: { branch: 'main', head: 'abc', dirty: ['a.ts'], moreDirty: 2, ahead: 1, behind: 0 },
        at: 200,
      } as const;
      for (const each of [start, end, { ...start, workId: null }])
        store.saveGitState({ ...each, state: { ...each.state, dirty: [...each.state.dirty] } });
      expect(store.listGitStates(1, 9)).toEqual([end, start]);
      expect(store.listGitStates(1, 1)).toEqual([end]);
    });

    it('includes git states from before the session was bound', () => {
      addWork('prune');
      addWork('water');
      const state = { dirty: ['a.ts'], moreDirty: 0 };
      const snapshot = { moment: 'start', agentSession: 's', folder: '/orchard', state, at: 100 } as const;
      store.saveGitState({ ...snapshot, workId: null });
      expect(store.listGitStates(1, 9)).toEqual([]);
      bind('s', 1, 200);
      expect(store.listGitStates(1, 9)).toEqual([{ ...snapshot, workId: 1 }]);
      expect(store.listGitStates(2, 9)).toEqual([]);
    });
  });

  it('lists work items that have something left to do', () => {
    for (const name of ['asked', 'planned', 'tasked', 'handed', 'said']) addWork(name);
    store.addPlan(plan({ workId: 2, state: 'accepted' }));
    store.addTask(task({ workId: 3 }));
    store.addHandoff(handoff({ workId: 4 }));
    store.changeWorkItem(5, { nextSteps: 'the plums' }, 900);
    const left = () =>
      store
        .listWorkItems({ left: 'anything', limit: 9 })
        .map(({ name }) => name)
        .sort();
    expect(left()).toEqual(['handed', 'planned', 'said', 'tasked']);
    expect(store.listWorkItems({ left: 'tasks', limit: 9 }).map(({ name }) => name)).toEqual(['tasked']);
    store.setPlanState(1, 'finished', 901);
    store.changeTask(1, { state: 'done' }, 'person', 901);
    store.setHandoffState(1, 'taken', 901);
    expect(left()).toEqual(['said']);
  });

  describe('work items to mirror', () => {
    const CHANGES: [string, () => void][] = [
      ['a changed field', () => void store.changeWorkItem(1, { title: 'other' }, 100)],
      ['a bound session', () => bind('s9', 1, 100)],
      ['a session that leaves', () => bind('s1', 2, 100)],
      ['a new note', () => void store.addWorkNote(1, 'x', 100)],
      ['a new plan', () => void store.addPlan(plan({ at: 100 }))],
      ['a plan that is decided', () => store.setPlanState(1, 'accepted', 100)],
      ['a new task', () => void store.addTask(task({ at: 100 }))],
      ['a task that changes', () => void store.changeTask(1, { state: 'done' }, 'agent', 100)],
      ['a new handoff', () => void store.addHandoff(handoff({ at: 100 }))],
      ['a handoff that is given', () => void store.giveHandoff(1, 's9', 100)],
      ['a handoff that is discarded', () => store.setHandoffState(1, 'discarded', 100)],
    ];
    it.each(CHANGES)('include one after %s, even at the same time', (_, change) => {
      addWork('prune');
      addWork('water');
      bind('s1', 1, 100);
      store.addPlan(plan({ at: 100 }));
      store.addTask(task({ at: 100 }));
      store.addHandoff(handoff({ at: 100 }));
      for (const { work } of store.listWorkItemsToMirror(9))
        store.saveMirror(work.id, { changedAt: work.changedAt, hash: 'h' });
      expect(store.listWorkItemsToMirror(9)).toEqual([]);
      const mirror = { changedAt: store.getWorkItem(1)?.changedAt, hash: 'h' };
      change();
      expect(store.listWorkItemsToMirror(9)).toContainEqual({ work: store.getWorkItem(1), mirror });
      expect(store.getMirror(1)).toEqual(mirror);
    });

    it('include those without a mirror, and those changed while their file was written', () => {
      const work = addWork('prune');
      addWork('water', { at: 200 });
      expect(store.listWorkItemsToMirror(1)).toEqual([{ work, mirror: null }]);
      expect(store.getMirror(1)).toBeNull();
      // The work item changes while its file is written.
      const later = store.changeWorkItem(1, { mode: 'active' }, 300);
      store.saveMirror(1, { changedAt: work.changedAt, hash: 'h' });
      expect(store.listWorkItemsToMirror(9).map((waiting) => waiting.work)).toContainEqual(later);
    });
  });

  it('lists sessions whose git state is due', () => {
    addWork('prune');
    bind('s1', 1, 50);
    take('s0', { kind: 'session-start', source: 'startup' }, 90);
    take('s1', { kind: 'session-start', source: 'startup' }, 100);
    take('s1', { kind: 'compact-start', trigger: 'auto' }, 200);
    take('s2', { kind: 'session-end', reason: 'clear' }, 300);
    const due = () => store.listDueSnapshots(100).map(({ agentSession, moment }) => [agentSession, moment]);
    const start = { agentSession: 's1', moment: 'start', workId: 1, folder: '/orchard' } as const;
    expect(store.listDueSnapshots(100)).toContainEqual(start);
    expect(due()).toEqual([
      ['s1', 'start'],
      ['s1', 'compact'],
      ['s2', 'end'],
    ]);
    const state = { dirty: [], moreDirty: 0 };
    store.saveGitState({ ...start, state, at: 110 });
    store.saveGitState({ ...start, moment: 'compact', state, at: 150 });
    expect(due()).toEqual([
      ['s1', 'compact'],
      ['s2', 'end'],
    ]);
  });
}
