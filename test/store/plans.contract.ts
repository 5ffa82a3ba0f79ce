import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import { type Orchard, plan } from './continuity-set-up.ts';

export function plansContract(orchard: Orchard): void {
  const { addWork } = orchard;
  let store: PlainStore;
  beforeEach(() => {
    store = orchard.store();
  });

  describe('plans', () => {
    it('are numbered within each work item', () => {
      addWork('prune');
      addWork('water');
      const first = store.addPlan(plan());
      expect(first).toEqual({ id: 1, version: 1, ...plan(), decidedAt: null });
      store.addPlan(plan({ workId: 2 }));
      const second = store.addPlan(plan({ text: '# More', hash: 'h2', agentSession: null, at: 300 }));
      expect(second.version).toBe(2);
      expect(store.listPlans(1)).toEqual([second, first]);
      expect(store.findAcceptedPlan(1)).toBeNull();
    });

    it('change state, and only one is accepted at a time', () => {
      addWork('prune');
      for (const text of ['one', 'two', 'three', 'four']) store.addPlan(plan({ text }));
      const states = () => store.listPlans(1).map(({ state, decidedAt }) => [state, decidedAt]);
      store.setPlanState(1, 'refused', 300);
      store.setPlanState(2, 'accepted', 400);
      expect(store.findAcceptedPlan(1)).toMatchObject({ version: 2, text: 'two', decidedAt: 400 });
      store.setPlanState(2, 'accepted', 450);
      store.setPlanState(3, 'accepted', 500);
      expect(store.findAcceptedPlan(1)).toMatchObject({ version: 3 });
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
      expect(store.findAcceptedPlan(1)).toBeNull();
      expect(store.listPlans(1)[0]).toEqual({ ...fifth, state: 'finished' });
      expect(() => store.setPlanState(77, 'accepted', 1)).toThrow('There is no plan with the number 77.');
    });
  });
}
