import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Place } from '../model/project.ts';
import type { Handoff, HandoffParts, TaskState, Work } from '../model/work.ts';
import type { NewTask, NewWork } from './continuity-store.ts';
import type { ForgetTargets } from './curation-store.ts';
import type { Store } from './store.ts';

/** A turn that was distilled. */
interface DistilledTurn {
  session?: string;
  at: number;
  place: Place;
  observations?: { title: string; narrative?: string }[];
}

/** What is being done, as against what was done. */
export function continuityContract(
  name: string,
  open: () => Store,
  rememberTurn: (store: Store, turn: DistilledTurn) => void,
): void {
  describe(`${name} keeps works`, () => {
    let store: Store;
    let project: number;
    beforeEach(() => {
      store = open();
      project = projectAt(ORCHARD);
    });
    afterEach(() => store.close());

    describe('works', () => {
      it('keeps what they are', () => {
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
        expect(store.work(1)).toEqual(work);
        expect(store.work(2)).toBeNull();
      });

      it('changes what is named', () => {
        const work = addWork('prune');
        const change = {
          title: 'Prune',
          mode: 'active',
          branch: 'feature',
          worktree: '/elsewhere',
          nextSteps: 'the pears',
        } as const;
        expect(store.changeWork(1, change, 200)).toEqual({ ...work, ...change, changedAt: 200 });
        expect(store.changeWork(1, { branch: null, closedAt: 300 }, 300)).toEqual({
          ...work,
          ...change,
          branch: null,
          closedAt: 300,
          changedAt: 300,
        });
        expect(() => store.changeWork(7, { title: 'x' }, 1)).toThrow('There is no work with the number 7.');
      });

      it('calls nothing a change that says what is there already', () => {
        const work = addWork('prune');
        const { name: same, title, mode, nextSteps } = work;
        expect(store.changeWork(1, { name: same, title, mode, nextSteps }, 200)).toEqual(work);
        expect(store.changeWork(1, {}, 200)).toEqual(work);
      });

      it('puts a number behind a name that is or was taken, whatever its case', () => {
        const names = ['prune', 'prune', 'Prune', 'prune-2'].map((wanted) => addWork(wanted).name);
        expect(names).toEqual(['prune', 'prune-2', 'Prune-3', 'prune-2-2']);
        store.changeWork(1, { name: 'graft' }, 200);
        expect(addWork('prune').name).toBe('prune-4');
        expect(store.changeWork(2, { name: 'graft' }, 200).name).toBe('graft-2');
      });

      it('finds one by any name it had', () => {
        addWork('prune');
        addWork('water');
        store.changeWork(1, { name: 'graft' }, 200);
        store.changeWork(1, { name: 'plant' }, 300);
        const found = (named: string) => store.workByName(named)?.id ?? null;
        expect(['prune', 'graft', 'plant', 'PLANT', 'water', 'mow'].map(found)).toEqual([
          1,
          1,
          1,
          1,
          2,
          null,
        ]);
        expect(store.changeWork(1, { name: 'prune' }, 400).name).toBe('prune');
        expect(['prune', 'graft', 'plant'].map(found)).toEqual([1, 1, 1]);
        expect(store.changeWork(1, { name: 'Prune' }, 500).name).toBe('Prune');
        expect(['prune', 'plant'].map(found)).toEqual([1, 1]);
      });

      it('lists them, the last changed first', () => {
        const meadow = projectAt(MEADOW);
        addWork('one', { at: 100 });
        addWork('two', { at: 200 });
        addWork('three', { at: 300, projectId: meadow });
        store.changeWork(1, { mode: 'has_plan' }, 400);
        store.changeWork(2, { closedAt: 500 }, 500);
        const names = (query: Partial<Parameters<Store['works']>[0]>) =>
          store.works({ limit: 9, ...query }).map((work) => work.name);
        expect(names({})).toEqual(['one', 'three']);
        expect(names({ withClosed: true })).toEqual(['two', 'one', 'three']);
        expect(names({ withClosed: true, limit: 2 })).toEqual(['two', 'one']);
        expect(names({ projectId: project })).toEqual(['one']);
        expect(names({ projectId: meadow, withClosed: true })).toEqual(['three']);
        expect(names({ modes: ['has_plan', 'active'] })).toEqual(['one']);
        expect(names({ modes: [] })).toEqual([]);
      });

      it('counts those of a project that was merged as the other one’s', () => {
        const meadow = projectAt(MEADOW);
        addWork('mow', { projectId: meadow });
        store.mergeProjects(meadow, project);
        expect(store.works({ projectId: project, limit: 9 })).toMatchObject([
          { name: 'mow', projectId: project, project: 'orchard' },
        ]);
        store.addHandoff(handoff({ workId: 1 }));
        expect(store.handoffs({ projectId: project, limit: 9 })).toHaveLength(1);
        store.splitProject(meadow);
        expect(store.works({ projectId: project, limit: 9 })).toEqual([]);
        expect(store.work(1)).toMatchObject({ projectId: meadow, project: 'meadow' });
      });

      it('keeps notes', () => {
        addWork('prune');
        addWork('water');
        const first = store.addWorkNote(1, 'the ladder is in the barn', 200);
        store.addWorkNote(2, 'at dusk', 250);
        const second = store.addWorkNote(1, 'ask Robin', 300);
        expect(first).toEqual({ id: 1, text: 'the ladder is in the barn', at: 200 });
        expect(store.workNotes(1)).toEqual([first, second]);
      });

      it('keeps how the checkout looked', () => {
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
          store.noteGitState({ ...each, state: { ...each.state, dirty: [...each.state.dirty] } });
        expect(store.gitStatesOf(1, 9)).toEqual([end, start]);
        expect(store.gitStatesOf(1, 1)).toEqual([end]);
      });
    });

    describe('sessions', () => {
      it('belong to the work they were bound to last', () => {
        addWork('prune');
        addWork('water');
        expect(store.workOfSession('s1')).toBeNull();
        bind('s1', 1, 200);
        bind('s2', 1, 300);
        bind('s2', 2, 400);
        expect(store.workOfSession('s1')?.name).toBe('prune');
        expect(store.workOfSession('s2')?.name).toBe('water');
        expect(store.sessionsOfWork(1)).toEqual([
          {
            agent: 'claude-code',
            agentSession: 's1',
            by: 'new',
            boundAt: 200,
            lastSeen: null,
            endedAt: null,
          },
        ]);
        bind('s2', 1, 500);
        expect(store.sessionsOfWork(1).map(({ agentSession, boundAt }) => [agentSession, boundAt])).toEqual([
          ['s2', 500],
          ['s1', 200],
        ]);
        expect(store.sessionsOfWork(2)).toEqual([]);
      });

      it('are bound once, however often it is said', () => {
        addWork('prune');
        bind('s1', 1, 200);
        const bound = store.work(1);
        bind('s1', 1, 300);
        expect(store.work(1)).toEqual(bound);
        expect(store.sessionsOfWork(1)).toMatchObject([{ boundAt: 200 }]);
      });

      it('tell when they were last seen and ended', () => {
        addWork('prune');
        bind('s1', 1, 200);
        take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
        take('s1', { kind: 'session-end', reason: 'clear' }, 400);
        expect(store.sessionsOfWork(1)).toMatchObject([{ lastSeen: 400, endedAt: 400 }]);
      });

      it('have taught what was learnt while they belonged to it', () => {
        addWork('prune');
        addWork('water');
        learn('s1', 100, 'before it was bound');
        bind('s1', 1, 150);
        learn('s1', 200, 'first');
        bind('s1', 2, 250);
        learn('s1', 300, 'between');
        bind('s1', 1, 350);
        learn('s1', 400, 'last');
        learn('s2', 500, 'elsewhere');
        const titles = (id: number, limit = 9) =>
          store.memoriesOfWork(id, limit).map((memory) => memory.title);
        expect(titles(1)).toEqual(['last', 'first', 'before it was bound']);
        expect(titles(1, 1)).toEqual(['last']);
        expect(titles(2)).toEqual(['between']);
        const [last] = store.memoriesOfWork(1, 1);
        const short = store.memoriesOfWork(1, 2).map(({ id, title }) => ({ id, title }));
        expect(store.titlesOfWork(1, { limit: 2 })).toEqual(short);
        expect(store.titlesOfWork(1, { limit: 2, type: last?.type ?? 'change' })).toEqual(short);
        expect(store.titlesOfWork(1, { limit: 2, type: 'gotcha' })).toEqual([]);
      });

      it('is told to a session once, until it was lost again', () => {
        addWork('prune');
        expect(store.wasTold('s1', 1, 0)).toBe(false);
        store.noteTold('s1', 1, 200);
        expect([store.wasTold('s1', 1, 0), store.wasTold('s1', 1, 201), store.wasTold('s2', 1, 0)]).toEqual([
          true,
          false,
          false,
        ]);
        store.noteTold('s1', 1, 300);
        expect(store.wasTold('s1', 1, 201)).toBe(true);
      });
    });

    it('can be asked for by whether something is left of them', () => {
      for (const name of ['asked', 'planned', 'tasked', 'handed', 'said']) addWork(name);
      store.addPlan(plan({ workId: 2, state: 'accepted' }));
      store.addTask(task({ workId: 3 }));
      store.addHandoff(handoff({ workId: 4 }));
      store.changeWork(5, { nextSteps: 'the plums' }, 900);
      const left = () =>
        store
          .works({ left: 'anything', limit: 9 })
          .map(({ name }) => name)
          .sort();
      expect(left()).toEqual(['handed', 'planned', 'said', 'tasked']);
      expect(store.works({ left: 'tasks', limit: 9 }).map(({ name }) => name)).toEqual(['tasked']);
      store.setPlanState(1, 'finished', 901);
      store.changeTask(1, { state: 'done' }, 'person', 901);
      store.setHandoffState(1, 'taken', 901);
      expect(left()).toEqual(['said']);
    });

    describe('plans', () => {
      it('are counted in each work', () => {
        addWork('prune');
        addWork('water');
        const first = store.addPlan(plan());
        expect(first).toEqual({ id: 1, version: 1, ...plan(), decidedAt: null });
        store.addPlan(plan({ workId: 2 }));
        const second = store.addPlan(plan({ text: '# More', hash: 'h2', agentSession: null, at: 300 }));
        expect(second.version).toBe(2);
        expect(store.plansOf(1)).toEqual([second, first]);
        expect(store.acceptedPlan(1)).toBeNull();
      });

      it('are decided, and one is worked on at a time', () => {
        addWork('prune');
        for (const text of ['one', 'two', 'three', 'four']) store.addPlan(plan({ text }));
        const states = () => store.plansOf(1).map(({ state, decidedAt }) => [state, decidedAt]);
        store.setPlanState(1, 'refused', 300);
        store.setPlanState(2, 'accepted', 400);
        expect(store.acceptedPlan(1)).toMatchObject({ version: 2, text: 'two', decidedAt: 400 });
        store.setPlanState(2, 'accepted', 450);
        store.setPlanState(3, 'accepted', 500);
        expect(store.acceptedPlan(1)).toMatchObject({ version: 3 });
        expect(states()).toEqual([
          ['proposed', null],
          ['accepted', 500],
          ['replaced', 400],
          ['refused', 300],
        ]);
        const fifth = store.addPlan(plan({ state: 'accepted', at: 600 }));
        expect(fifth).toMatchObject({ version: 5, state: 'accepted', decidedAt: 600 });
        expect(states().slice(1, 3)).toEqual([
          ['replaced', null],
          ['replaced', 500],
        ]);
        store.setPlanState(fifth.id, 'finished', 700);
        expect(store.acceptedPlan(1)).toBeNull();
        expect(store.plansOf(1)[0]).toEqual({ ...fifth, state: 'finished' });
        expect(() => store.setPlanState(77, 'accepted', 1)).toThrow('There is no plan with the number 77.');
      });
    });

    describe('tasks', () => {
      it('are counted in each work, and known by their key', () => {
        addWork('prune');
        addWork('water');
        const first = store.addTask(task());
        const { at, ...given } = task();
        expect(first).toEqual({ id: 1, number: 1, ...given, createdAt: at, changedAt: at });
        store.addTask(task({ workId: 2 }));
        const second = store.addTask(task({ subject: 'Sharpen the saw', key: null, source: 'person' }));
        expect(second.number).toBe(2);
        expect(store.tasksOf(1)).toEqual([first, second]);
        expect(store.taskByKey(1, 's1 1')).toEqual(first);
        expect(store.taskByKey(1, 's1 2')).toBeNull();
        expect(store.taskByKey(3, 's1 1')).toBeNull();
      });

      it('have a history of their states', () => {
        addWork('prune');
        const first = store.addTask(task());
        expect(store.changeTask(1, { state: 'doing' }, 'agent', 300)).toEqual({
          ...first,
          state: 'doing',
          changedAt: 300,
        });
        const change = { subject: 'Prune the apples', description: 'all', key: null };
        expect(store.changeTask(1, change, 'mcp', 400)).toEqual({
          ...first,
          ...change,
          state: 'doing',
          changedAt: 400,
        });
        const done = store.changeTask(1, { state: 'done' }, 'person', 500);
        expect(store.changeTask(1, { state: 'done', description: 'all' }, 'agent', 600)).toEqual(done);
        expect(store.taskChanges(1)).toEqual([
          { state: 'open', by: 'agent', at: 200 },
          { state: 'doing', by: 'agent', at: 300 },
          { state: 'done', by: 'person', at: 500 },
        ]);
        expect(() => store.changeTask(7, {}, 'agent', 1)).toThrow('There is no task with the number 7.');
      });
    });

    describe('handoffs', () => {
      it('keep all their parts', () => {
        addWork('prune');
        const first = store.addHandoff(handoff());
        expect(first).toEqual({
          id: 1,
          number: 1,
          state: 'staged',
          givenTo: null,
          takenAt: null,
          ...handoff(),
        });
        expect(store.handoff(1)).toEqual(first);
        expect(store.handoff(2)).toBeNull();
        const bare = handoff({ plan: null, git: null, tasks: [], agentSession: null, by: 'meter', at: 500 });
        expect(store.addHandoff(bare)).toMatchObject({ number: 2, ...bare });
      });

      it('are replaced by a later one of the same work while nobody has them', () => {
        addWork('prune');
        addWork('water');
        store.addHandoff(handoff());
        store.addHandoff(handoff({ workId: 2, at: 350 }));
        store.giveHandoff(1, 's2', 360);
        store.addHandoff(handoff({ at: 400 }));
        store.addHandoff(handoff({ at: 500 }));
        expect(states()).toEqual([
          [4, 'staged'],
          [3, 'discarded'],
          [2, 'staged'],
          [1, 'given'],
        ]);
        const ids = (query: Partial<Parameters<Store['handoffs']>[0]>) =>
          store.handoffs({ limit: 9, ...query }).map(({ id }) => id);
        expect(ids({ workId: 1 })).toEqual([4, 3, 1]);
        expect(ids({ states: ['staged', 'given'] })).toEqual([4, 2, 1]);
        expect(ids({ states: ['staged'], workId: 2 })).toEqual([2]);
        expect(ids({ projectId: project, limit: 1 })).toEqual([4]);
        expect(ids({ projectId: project + 7 })).toEqual([]);
      });

      it('are given to one session only', () => {
        addWork('prune');
        store.addHandoff(handoff());
        expect(store.giveHandoff(1, 's2', 400)).toBe(true);
        expect(store.giveHandoff(1, 's3', 500)).toBe(false);
        expect(store.giveHandoff(1, 's2', 600)).toBe(true);
        expect(store.handoff(1)).toMatchObject({ state: 'given', givenTo: 's2', takenAt: null });
        store.setHandoffState(1, 'taken', 700);
        expect(store.giveHandoff(1, 's2', 800)).toBe(false);
        expect(store.handoff(1)).toMatchObject({ state: 'taken', givenTo: 's2', takenAt: 700 });
        expect(() => store.giveHandoff(7, 's2', 1)).toThrow('There is no handoff with the number 7.');
      });

      it('wait again when the session does not go on with them', () => {
        addWork('prune');
        addWork('water');
        store.addHandoff(handoff());
        store.addHandoff(handoff({ workId: 2, at: 350 }));
        store.giveHandoff(1, 's2', 400);
        store.giveHandoff(2, 's3', 400);
        store.restageGiven('s2', 500);
        expect(store.handoff(1)).toMatchObject({ state: 'staged', givenTo: null });
        expect(store.handoff(2)).toMatchObject({ state: 'given', givenTo: 's3' });
        // Meanwhile another one was written: that one counts.
        store.addHandoff(handoff({ workId: 2, at: 600 }));
        store.restageGiven('s3', 700);
        expect(states()).toEqual([
          [3, 'staged'],
          [2, 'discarded'],
          [1, 'staged'],
        ]);
        store.setHandoffState(1, 'discarded', 800);
        store.restageGiven('s2', 900);
        expect(store.handoff(1)).toMatchObject({ state: 'discarded' });
      });
    });

    describe('what is to be mirrored', () => {
      const CHANGES: [string, (store: Store) => void][] = [
        ['a change', (s) => void s.changeWork(1, { title: 'other' }, 100)],
        ['a session', (s) => bindIn(s, 's9', 1, 100)],
        ['a session that leaves', (s) => bindIn(s, 's1', 2, 100)],
        ['a note', (s) => void s.addWorkNote(1, 'x', 100)],
        ['a plan', (s) => void s.addPlan(plan({ at: 100 }))],
        ['a plan that is decided', (s) => s.setPlanState(1, 'accepted', 100)],
        ['a task', (s) => void s.addTask(task({ at: 100 }))],
        ['a task that changes', (s) => void s.changeTask(1, { state: 'done' }, 'agent', 100)],
        ['a handoff', (s) => void s.addHandoff(handoff({ at: 100 }))],
        ['a handoff that is given', (s) => void s.giveHandoff(1, 's9', 100)],
        ['a handoff that is discarded', (s) => s.setHandoffState(1, 'discarded', 100)],
      ];
      it.each(CHANGES)('%s, also when it is as old as the last', (_, change) => {
        addWork('prune');
        addWork('water');
        bind('s1', 1, 100);
        store.addPlan(plan({ at: 100 }));
        store.addTask(task({ at: 100 }));
        store.addHandoff(handoff({ at: 100 }));
        for (const { work } of store.worksToMirror(9))
          store.noteMirrored(work.id, { changedAt: work.changedAt, hash: 'h' });
        expect(store.worksToMirror(9)).toEqual([]);
        const mirror = { changedAt: store.work(1)?.changedAt, hash: 'h' };
        change(store);
        expect(store.worksToMirror(9)).toContainEqual({ work: store.work(1), mirror });
        expect(store.mirrorOf(1)).toEqual(mirror);
      });

      it('what never was', () => {
        const work = addWork('prune');
        addWork('water', { at: 200 });
        expect(store.worksToMirror(1)).toEqual([{ work, mirror: null }]);
        expect(store.mirrorOf(1)).toBeNull();
        // It changed while its file was written.
        const later = store.changeWork(1, { mode: 'active' }, 300);
        store.noteMirrored(1, { changedAt: work.changedAt, hash: 'h' });
        expect(store.worksToMirror(9).map((waiting) => waiting.work)).toContainEqual(later);
      });
    });

    describe('all at once', () => {
      it('does nothing of what was not finished', () => {
        const work = addWork('prune');
        expect(() =>
          store.atOnce(() => {
            store.addTask(task());
            take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
            bind('s1', 1, 300);
            store.giveOnce([], 300);
            throw new Error('stop');
          }),
        ).toThrow('stop');
        expect(store.work(1)).toEqual(work);
        expect(store.tasksOf(1)).toEqual([]);
        expect(store.counts()).toMatchObject({ prompts: 0 });
      });

      it('keeps the rest when a part of it failed and somebody took care', () => {
        addWork('prune');
        const told = store.atOnce(() => {
          store.addTask(task());
          try {
            store.atOnce(() => {
              store.addTask(task({ subject: 'lost' }));
              throw new Error('stop');
            });
          } catch {
            store.addWorkNote(1, 'one was refused', 300);
          }
          return 'done';
        });
        expect(told).toBe('done');
        expect(store.tasksOf(1).map(({ subject }) => subject)).toEqual(['Prune']);
        expect(store.workNotes(1)).toHaveLength(1);
      });
    });

    describe('what is to be followed', () => {
      it('comes in the order of time, once', () => {
        take('s1', { kind: 'session-start', source: 'startup', model: 'm' }, 100);
        take('s1', { kind: 'prompt', text: 'Prune', origin: 'person', permissionMode: 'plan' }, 200);
        take('s1', ended('Bash', 'c1'), 300);
        take('s1', { ...ended('TaskCreate', 'c2'), permissionMode: 'default' }, 400);
        take('s1', { ...ended('TaskCreate', 'c3'), subagent: { id: 'a', type: 'Explore' } }, 500);
        take('s1', { kind: 'prompt', text: '<note>', origin: 'machine' }, 600);
        take('s1', { kind: 'session-end', reason: 'clear' }, 700);
        const scene = {
          agent: 'claude-code',
          agentSession: 's1',
          projectId: project,
          branch: 'main',
          worktree: '/orchard',
          folder: '/orchard/src',
        };
        const event = {
          what: 'event',
          ...scene,
          permissionMode: null,
          isSubagent: false,
          text: '',
          origin: 'machine',
          tool: null,
          outcome: null,
          input: null,
          response: null,
          reason: null,
        };
        const prompt = { ...event, what: 'prompt', kind: 'prompt' };
        const call = { ...event, kind: 'tool-end', tool: 'TaskCreate', outcome: 'success' };
        const told = { input: { subject: 'x' }, response: { id: 1 } };
        const expected = [
          { ...event, promptId: 0, eventId: 1, at: 100, kind: 'session-start', reason: 'startup' },
          {
            ...prompt,
            promptId: 1,
            eventId: 1,
            at: 200,
            text: 'Prune',
            origin: 'person',
            permissionMode: 'plan',
          },
          { ...call, promptId: 1, eventId: 2, at: 300, tool: 'Bash' },
          { ...call, ...told, promptId: 1, eventId: 3, at: 400, permissionMode: 'default' },
          { ...call, ...told, promptId: 1, eventId: 4, at: 500, isSubagent: true },
          { ...prompt, promptId: 2, eventId: 4, at: 600, text: '<note>' },
          { ...event, promptId: 2, eventId: 5, at: 700, kind: 'session-end', reason: 'clear' },
        ];
        expect(unfollowed()).toEqual(expected);
        for (const limit of [1, 2, 3]) {
          const some = unfollowed(limit);
          expect(some).toEqual(expected.splice(0, limit));
          const last = some.at(-1);
          if (last) store.noteFollowed(last);
        }
        expect(unfollowed()).toEqual(expected);
      });

      it('never goes back', () => {
        for (const at of [100, 200]) take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, at);
        const [first, second] = unfollowed();
        if (second) store.noteFollowed(second);
        if (first) store.noteFollowed(first);
        expect(unfollowed()).toEqual([]);
      });

      it('says nothing of what was private, and goes on after what was taken back', () => {
        take('s1', { ...ended('TaskCreate', 'c1'), promptId: 'p1' }, 100);
        for (const followed of unfollowed()) store.noteFollowed(followed);
        take('s1', { kind: 'prompt', text: '[private]', origin: 'person', promptId: 'p1' }, 200, true);
        take('s1', { kind: 'prompt', text: 'go', origin: 'person', promptId: 'p2' }, 300);
        take('s1', { ...ended('TaskCreate', 'c2'), promptId: 'p2' }, 400);
        expect(unfollowed().map(({ kind, text, at }) => [kind, text, at])).toEqual([
          ['prompt', '', 200],
          ['prompt', 'go', 300],
          ['tool-end', '', 400],
        ]);
      });

      it('knows what only a transcript or an import tells', () => {
        const seen = { kind: 'prompt', text: 'go', origin: 'person' } as const;
        take('past', seen, 100, false, 'transcript');
        take('past', ended('TaskCreate', 'c1'), 200, false, 'transcript');
        const session = { agent: 'claude-code', id: 'imported' };
        const asked = { session, number: 1, text: 'go', at: 300, from: 'elsewhere', projectId: project };
        store.addPastPrompts([asked], { now: 300, isDryRun: false });
        take('hooked', seen, 400);
        take('hooked', ended('TaskCreate', 'c2'), 500, false, 'transcript');
        expect(unfollowed().map(({ what, kind, text, tool }) => [what, kind, text, tool])).toEqual([
          ['event', 'past', '', null],
          ['event', 'past', '', null],
          ['event', 'past', '', null],
          ['prompt', 'prompt', 'go', null],
          ['event', 'tool-end', '', 'TaskCreate'],
        ]);
      });
    });

    it('knows how full a window is', () => {
      const fill = { tokens: 1_000, window: 200_000, model: 'm', toldAt: 100, at: 100 };
      expect(store.contextFill('s1')).toBeNull();
      store.noteContextFill('s1', fill);
      store.noteContextFill('s2', { ...fill, model: null });
      const fuller = { ...fill, tokens: 150_000, window: 180_000, model: 'n', toldAt: 20, at: 200 };
      store.noteContextFill('s1', fuller);
      expect(store.contextFill('s1')).toEqual(fuller);
      expect(store.contextFill('s2')).toEqual({ ...fill, model: null });
    });

    it('knows the sessions that are at work', () => {
      const prompt = { kind: 'prompt', text: 'go', origin: 'person' } as const;
      for (const session of ['open', 'closed', 'ended'])
        take(session, { ...prompt, transcriptPath: `/${session}` }, 100);
      take('untold', prompt, 100);
      take('open', { kind: 'session-start', source: 'resume', model: 'm' }, 150);
      take('closed', { kind: 'turn-end', text: 'done', continued: false }, 200);
      take('ended', { kind: 'session-end', reason: 'clear' }, 200);
      expect(store.sessionsAtWork()).toEqual([
        { agent: 'claude-code', agentSession: 'open', transcript: '/open', folder: '/orchard' },
      ]);
    });

    it('knows of which sessions git was not asked yet', () => {
      addWork('prune');
      bind('s1', 1, 50);
      take('s0', { kind: 'session-start', source: 'startup' }, 90);
      take('s1', { kind: 'session-start', source: 'startup' }, 100);
      take('s1', { kind: 'compact-start', trigger: 'auto' }, 200);
      take('s2', { kind: 'session-end', reason: 'clear' }, 300);
      const due = () => store.snapshotsDue(100).map(({ agentSession, moment }) => [agentSession, moment]);
      const start = { agentSession: 's1', moment: 'start', workId: 1, folder: '/orchard' } as const;
      expect(store.snapshotsDue(100)).toContainEqual(start);
      expect(due()).toEqual([
        ['s1', 'start'],
        ['s1', 'compact'],
        ['s2', 'end'],
      ]);
      const state = { dirty: [], moreDirty: 0 };
      store.noteGitState({ ...start, state, at: 110 });
      store.noteGitState({ ...start, moment: 'compact', state, at: 150 });
      expect(due()).toEqual([
        ['s1', 'compact'],
        ['s2', 'end'],
      ]);
    });

    describe('what was forgotten', () => {
      const SECRET = 'The lantern code of the quokka is violet';
      const OTHER = 'The gate squeaks on Monday mornings';

      it('leaves every work that tells of it', () => {
        learn('s1', 100, SECRET);
        addWork('prune', { title: `Because ${SECRET.toLowerCase()}`, at: 200 });
        addWork('water', { title: 'Water', at: 200 });
        addWork('mow', { title: 'Mow', at: 200 });
        store.changeWork(2, { nextSteps: `${OTHER}. ${SECRET}.` }, 300);
        store.addWorkNote(2, SECRET, 300);
        store.addWorkNote(2, `${OTHER}. ${SECRET}.`, 300);
        store.addPlan(plan({ workId: 2, text: `# Plan\n1. ${SECRET}\n2. ${OTHER}`, state: 'accepted' }));
        store.addPlan(plan({ workId: 2, text: OTHER, hash: 'other' }));
        store.addTask(task({ workId: 2, subject: SECRET }));
        store.addTask(task({ workId: 2, subject: OTHER, description: SECRET, key: `s1 ${SECRET}` }));
        store.addTask(task({ workId: 2, subject: 'Keep', description: OTHER, key: 's1 3' }));
        const parts: HandoffParts = {
          goal: `${OTHER}. ${SECRET}.`,
          state: SECRET,
          decisions: [SECRET, OTHER],
          deadEnds: [SECRET],
          files: [{ path: 'a.ts', what: SECRET }],
          questions: [`Is it so that ${SECRET}?`],
          nextSteps: [OTHER, SECRET],
          note: SECRET,
        };
        const tasks = [SECRET, OTHER].map((subject, index) => ({
          number: index + 1,
          subject,
          state: 'open' as TaskState,
        }));
        store.addHandoff(handoff({ workId: 2, parts, tasks, plan: { version: 1, text: SECRET } }));
        store.addWorkNote(3, OTHER, 300);
        const before = [2, 3].map((id) => store.work(id));

        expect(forget({ memories: [1] })).toMatchObject({
          works: 2,
          renamedWorks: [{ from: 'prune', to: 'work-1' }],
        });
        expect(store.work(1)).toMatchObject({ name: 'work-1', title: '(forgotten)', changedAt: 9_000 });
        expect(store.workByName('prune')).toBeNull();
        expect(store.work(2)).toEqual({ ...before[0], nextSteps: `${OTHER}.`, changedAt: 9_000 });
        expect(store.work(3)).toEqual(before[1]);
        expect(store.workNotes(2).map(({ text }) => text)).toEqual([`${OTHER}.`]);
        expect(store.plansOf(2).map(({ text, hash, state }) => [text, hash, state])).toEqual([
          [OTHER, 'other', 'proposed'],
          [`# Plan\n2. ${OTHER}`, '', 'accepted'],
        ]);
        const left = store
          .tasksOf(2)
          .map(({ number, subject, description, key }) => [number, subject, description, key]);
        expect(left).toEqual([
          [2, OTHER, '', null],
          [3, 'Keep', OTHER, 's1 3'],
        ]);
        expect(store.handoff(1)).toMatchObject({
          parts: {
            goal: `${OTHER}.`,
            state: '',
            decisions: [OTHER],
            deadEnds: [],
            files: [{ path: 'a.ts', what: '' }],
            questions: [],
            nextSteps: [OTHER],
            note: '',
          },
          tasks: [{ number: 2, subject: OTHER, state: 'open' }],
          plan: null,
          git: { branch: 'main' },
        });
      });

      it('of a prompt leaves the name and title that were made of it', () => {
        take('s1', { kind: 'prompt', text: 'Please cut the old pears for Robin', origin: 'person' }, 100);
        addWork('cut-pears', { title: 'Please cut the old…' });
        store.changeWork(1, { name: 'robin-pears' }, 150);
        addWork('old-pears', { title: 'Old pears' });
        addWork('pears', { title: 'Sell them' });
        for (const id of [1, 2]) bind(`s${id === 1 ? 1 : 0}`, id, 200);
        expect(forget({ prompts: [1] })).toMatchObject({ works: 1 });
        expect(store.works({ limit: 9 }).map((work) => [work.name, work.title])).toEqual([
          ['work-1', '(forgotten)'],
          ['old-pears', 'Old pears'],
          ['pears', 'Sell them'],
        ]);
        expect(['cut-pears', 'robin-pears'].map((named) => store.workByName(named))).toEqual([null, null]);
      });

      it('leaves a name that a person has given', () => {
        take('s1', { kind: 'prompt', text: 'Cut the old pears', origin: 'person' }, 100);
        addWork('cut-old-pears', { title: 'Cut the old pears' });
        store.changeWork(1, { name: 'fruit', title: 'Fruit' }, 150);
        bind('s1', 1, 200);
        expect(forget({ prompts: [1] })).toMatchObject({
          works: 1,
          renamedWorks: [{ from: 'cut-old-pears', to: 'fruit' }],
        });
        expect(store.workByName('fruit')).toMatchObject({ name: 'fruit', title: 'Fruit' });
        expect(store.workByName('cut-old-pears')).toBeNull();
      });

      it('takes with its source what was made of the prompts of the same turn', () => {
        rememberTurn(store, { session: 's1', at: 100, place: ORCHARD, observations: [{ title: SECRET }] });
        addWork('going', { title: 'go on' });
        addWork('elsewhere', { title: 'go on' });
        bind('s1', 1, 200);
        expect(forget({ memories: [1] }, { isDryRun: true, withSource: true })).toMatchObject({ works: 1 });
        expect(store.work(1)).toMatchObject({ title: 'go on' });
        expect(forget({ memories: [1] }, { withSource: true })).toMatchObject({ works: 1 });
        expect([1, 2].map((id) => store.work(id)?.title)).toEqual(['(forgotten)', 'go on']);
      });

      it('leaves no work waiting for a plan of which nothing is left', () => {
        learn('s1', 100, SECRET);
        addWork('prune', { title: 'Prune' });
        store.addPlan(plan({ text: SECRET, state: 'accepted' }));
        store.changeWork(1, { mode: 'has_plan' }, 200);
        forget({ memories: [1] });
        expect(store.work(1)).toMatchObject({ mode: 'idle' });
        expect(store.plansOf(1)).toEqual([]);
      });

      function forget(
        targets: Partial<ForgetTargets>,
        options: { withSource?: boolean; isDryRun?: boolean } = {},
      ) {
        const all = { memories: [], prompts: [], sessions: [], ...targets };
        return store.forget(all, { withSource: false, isDryRun: false, ...options }, 9_000);
      }
    });

    function projectAt({ name: called, remote }: typeof ORCHARD): number {
      const id = store.projectFor({ name: called, remote }, { now: 1 });
      if (id === null) throw new Error('There is no project.');
      return id;
    }

    function addWork(named: string, more: Partial<NewWork> = {}): Work {
      const work = { name: named, title: named, projectId: project, branch: null, worktree: null, at: 100 };
      return store.addWork({ ...work, ...more });
    }

    function bind(agentSession: string, workId: number, at: number): void {
      bindIn(store, agentSession, workId, at);
    }

    function learn(session: string, at: number, title: string): void {
      rememberTurn(store, { session, at, place: ORCHARD, observations: [{ title }] });
    }

    function states(): [number, Handoff['state']][] {
      return store.handoffs({ limit: 9 }).map(({ id, state }) => [id, state]);
    }

    function unfollowed(limit = 99) {
      return store.unfollowed({ tools: ['TaskCreate'], limit });
    }

    function take(session: string, bare: Bare, at: number, isPrivate = false, via = 'settings'): void {
      serial++;
      const spoolName = `${session}.${serial}`;
      const event = { ...bare, sessionId: session } as AgentEvent;
      const captured = { agent: 'claude-code', event, at, via, spoolName, projectDir: '/orchard/src' };
      store.takeIn(
        [
          {
            ...{ name: spoolName, agent: 'claude-code', hook: 'Hook', via, at },
            place: ORCHARD,
            events: [{ ...captured, priority: 'normal', ...(isPrivate && { isPrivate }) }],
          },
        ],
        at,
      );
    }
  });
}

let serial = 0;

type Bare = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, 'sessionId'> : never) : never;

const ORCHARD = {
  path: '/orchard/.git',
  name: 'orchard',
  remote: 'example.com/orchard',
  branch: 'main',
  worktree: '/orchard',
} satisfies Place;
const MEADOW = { ...ORCHARD, path: '/meadow/.git', name: 'meadow', remote: 'example.com/meadow' };

function bindIn(store: Store, agentSession: string, workId: number, at: number): void {
  store.bindSession({ agent: 'claude-code', agentSession, workId, by: 'new', at });
}

function plan(more: Partial<Parameters<Store['addPlan']>[0]> = {}): Parameters<Store['addPlan']>[0] {
  return { workId: 1, text: '# Plan', hash: 'h1', state: 'proposed', agentSession: 's1', at: 200, ...more };
}

function task(more: Partial<NewTask> = {}): NewTask {
  return {
    workId: 1,
    subject: 'Prune',
    description: 'the apples',
    state: 'open',
    source: 'agent',
    key: 's1 1',
    at: 200,
    ...more,
  };
}

type NewHandoff = Parameters<Store['addHandoff']>[0];

function handoff(more: Partial<NewHandoff> = {}): NewHandoff {
  return {
    workId: 1,
    parts: {
      goal: 'Prune',
      state: 'half',
      decisions: ['in winter'],
      deadEnds: ['a ladder'],
      files: [{ path: 'trees.md', what: 'listed' }],
      questions: ['the pears?'],
      nextSteps: ['the plums'],
      note: 'mind the wasps',
    },
    tasks: [{ number: 1, subject: 'Prune', state: 'doing' }],
    plan: { version: 1, text: '# Plan' },
    git: { branch: 'main', dirty: ['trees.md'], moreDirty: 0 },
    by: 'agent',
    agentSession: 's1',
    at: 300,
    ...more,
  };
}

function ended(tool: string, id: string): Extract<Bare, { kind: 'tool-end' }> {
  const call = { id, name: tool, does: 'meta' as const, input: { subject: 'x' }, files: [] };
  return { kind: 'tool-end', call, outcome: 'success', response: { id: 1 }, reportedBy: 'call' };
}
