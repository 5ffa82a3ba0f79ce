import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import { type RememberTurn, setUpOrchard, task } from './continuity-set-up.ts';
import { followContract } from './follow.contract.ts';
import { forgottenWorksContract } from './forgotten-works.contract.ts';
import { handoffsContract } from './handoffs.contract.ts';
import { plansContract } from './plans.contract.ts';
import { tasksContract } from './tasks.contract.ts';
import { workSessionsContract } from './work-sessions.contract.ts';
import { worksContract } from './works.contract.ts';

/** Work items with their sessions, plans, tasks and handoffs. */
export function continuityContract(name: string, open: () => PlainStore, rememberTurn: RememberTurn): void {
  describe(`${name} work items`, () => {
    const orchard = setUpOrchard(open, rememberTurn);
    worksContract(orchard);
    workSessionsContract(orchard);
    plansContract(orchard);
    tasksContract(orchard);
    handoffsContract(orchard);
    followContract(orchard);
    forgottenWorksContract(orchard);

    describe('transactions', () => {
      const { addWork, bind, take } = orchard;
      let store: PlainStore;
      beforeEach(() => {
        store = orchard.store();
      });

      it('roll back everything when the callback throws', () => {
        const work = addWork('prune');
        expect(() =>
          store.runInTransaction(() => {
            store.addTask(task());
            take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
            bind('s1', 1, 300);
            store.recordNewInjections([], 300);
            throw new Error('stop');
          }),
        ).toThrow('stop');
        expect(store.getWorkItem(1)).toEqual(work);
        expect(store.listTasks(1)).toEqual([]);
        expect(store.countEverything()).toMatchObject({ prompts: 0 });
      });

      it('keep the outer changes when an inner error is caught', () => {
        addWork('prune');
        const result = store.runInTransaction(() => {
          store.addTask(task());
          try {
            store.runInTransaction(() => {
              store.addTask(task({ subject: 'lost' }));
              throw new Error('stop');
            });
          } catch {
            store.addWorkNote(1, 'one was refused', 300);
          }
          return 'done';
        });
        expect(result).toBe('done');
        expect(store.listTasks(1).map(({ subject }) => subject)).toEqual(['Prune']);
        expect(store.listWorkNotes(1)).toHaveLength(1);
      });
    });
  });
}
