import { beforeEach, describe, expect, it } from 'vitest';
import type { HandoffParts, TaskState } from '../../src/model/work.ts';
import type { ForgetTargets } from '../../src/store/types/curation.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { handoff, type Orchard, plan, task } from './continuity-set-up.ts';

/** The content of work items after something was forgotten. */
export function forgottenWorksContract(orchard: Orchard): void {
  const { addWork, bind, learn, take } = orchard;
  let store: PlainStore;
  beforeEach(() => {
    store = orchard.store();
  });

  describe('forgetting', () => {
    const SECRET = 'The lantern code of the quokka is violet';
    const OTHER = 'The gate squeaks on Monday mornings';

    it('removes the text from every work item that mentions it', () => {
      learn('s1', 100, SECRET);
      addWork('prune', { title: `Because ${SECRET.toLowerCase()}`, at: 200 });
      addWork('water', { title: 'Water', at: 200 });
      addWork('mow', { title: 'Mow', at: 200 });
      store.changeWorkItem(2, { nextSteps: `${OTHER}. ${SECRET}.` }, 300);
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
      const before = [2, 3].map((id) => store.getWorkItem(id));

      expect(forget({ memories: [1] })).toMatchObject({
        works: 2,
        renamedWorks: [{ from: 'prune', to: 'work-1' }],
      });
      expect(store.getWorkItem(1)).toMatchObject({ name: 'work-1', title: '(forgotten)', changedAt: 9_000 });
      expect(store.findWorkItem('prune')).toBeNull();
      expect(store.getWorkItem(2)).toEqual({ ...before[0], nextSteps: `${OTHER}.`, changedAt: 9_000 });
      expect(store.getWorkItem(3)).toEqual(before[1]);
      expect(store.listWorkNotes(2).map(({ text }) => text)).toEqual([`${OTHER}.`]);
      expect(store.listPlans(2).map(({ text, hash, state }) => [text, hash, state])).toEqual([
        [OTHER, 'other', 'proposed'],
        [`# Plan\n2. ${OTHER}`, '', 'accepted'],
      ]);
      const left = store
        .listTasks(2)
        .map(({ number, subject, description, key }) => [number, subject, description, key]);
      expect(left).toEqual([
        [2, OTHER, '', null],
        [3, 'Keep', OTHER, 's1 3'],
      ]);
      expect(store.getHandoff(1)).toMatchObject({
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

    it('of a prompt replaces names and titles made from it', () => {
      take('s1', { kind: 'prompt', text: 'Please cut the old pears for Robin', origin: 'person' }, 100);
      addWork('cut-pears', { title: 'Please cut the old…' });
      store.changeWorkItem(1, { name: 'robin-pears' }, 150);
      addWork('old-pears', { title: 'Old pears' });
      addWork('pears', { title: 'Sell them' });
      for (const id of [1, 2]) bind(`s${id === 1 ? 1 : 0}`, id, 200);
      expect(forget({ prompts: [1] })).toMatchObject({ works: 1 });
      expect(store.listWorkItems({ limit: 9 }).map((work) => [work.name, work.title])).toEqual([
        ['work-1', '(forgotten)'],
        ['old-pears', 'Old pears'],
        ['pears', 'Sell them'],
      ]);
      expect(['cut-pears', 'robin-pears'].map((named) => store.findWorkItem(named))).toEqual([null, null]);
    });

    it('keeps a name and title that a person chose', () => {
      take('s1', { kind: 'prompt', text: 'Cut the old pears', origin: 'person' }, 100);
      addWork('cut-old-pears', { title: 'Cut the old pears' });
      store.changeWorkItem(1, { name: 'fruit', title: 'Fruit' }, 150);
      bind('s1', 1, 200);
      expect(forget({ prompts: [1] })).toMatchObject({
        works: 1,
        renamedWorks: [{ from: 'cut-old-pears', to: 'fruit' }],
      });
      expect(store.findWorkItem('fruit')).toMatchObject({ name: 'fruit', title: 'Fruit' });
      expect(store.findWorkItem('cut-old-pears')).toBeNull();
    });

    it('with the source clears titles made from prompts of the same turn', () => {
      learn('s1', 100, SECRET);
      addWork('going', { title: 'go on' });
      addWork('elsewhere', { title: 'go on' });
      bind('s1', 1, 200);
      expect(forget({ memories: [1] }, { isDryRun: true, withSource: true })).toMatchObject({ works: 1 });
      expect(store.getWorkItem(1)).toMatchObject({ title: 'go on' });
      expect(forget({ memories: [1] }, { withSource: true })).toMatchObject({ works: 1 });
      expect([1, 2].map((id) => store.getWorkItem(id)?.title)).toEqual(['(forgotten)', 'go on']);
    });

    it('makes a work item idle if nothing of its plan is left', () => {
      learn('s1', 100, SECRET);
      addWork('prune', { title: 'Prune' });
      store.addPlan(plan({ text: SECRET, state: 'accepted' }));
      store.changeWorkItem(1, { mode: 'has_plan' }, 200);
      forget({ memories: [1] });
      expect(store.getWorkItem(1)).toMatchObject({ mode: 'idle' });
      expect(store.listPlans(1)).toEqual([]);
    });

    function forget(
      targets: Partial<ForgetTargets>,
      options: { withSource?: boolean; isDryRun?: boolean } = {},
    ) {
      const all = { memories: [], prompts: [], sessions: [], ...targets };
      return store.forget(all, { withSource: false, isDryRun: false, ...options }, 9_000);
    }
  });
}
