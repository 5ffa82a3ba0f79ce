import { beforeEach, describe, expect, it } from 'vitest';
import type { Handoff } from '../../src/model/work.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { handoff, type Orchard } from './continuity-set-up.ts';

export function handoffsContract(orchard: Orchard): void {
  const { addWork } = orchard;
  let store: PlainStore;
  let project: number;
  beforeEach(() => {
    store = orchard.store();
    project = orchard.project();
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
        to: null,
        from: null,
        ...handoff(),
      });
      expect(store.getHandoff(1)).toEqual(first);
      expect(store.getHandoff(2)).toBeNull();
      const bare = handoff({ plan: null, git: null, tasks: [], agentSession: null, by: 'meter', at: 500 });
      expect(store.addHandoff(bare)).toMatchObject({ number: 2, ...bare });
    });

    it('are discarded by a later one of the same work item while they are staged', () => {
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
      const ids = (query: Partial<Parameters<PlainStore['listHandoffs']>[0]>) =>
        store.listHandoffs({ limit: 9, ...query }).map(({ id }) => id);
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
      expect(store.getHandoff(1)).toMatchObject({ state: 'given', givenTo: 's2', takenAt: null });
      store.setHandoffState(1, 'taken', 700);
      expect(store.giveHandoff(1, 's2', 800)).toBe(false);
      expect(store.setHandoffState(1, 'discarded', 900)).toBe(false);
      expect(store.getHandoff(1)).toMatchObject({ state: 'taken', givenTo: 's2', takenAt: 700 });
      expect(() => store.giveHandoff(7, 's2', 1)).toThrow('There is no handoff with the number 7.');
    });

    it('are staged again, unless replaced, when the session does not take them', () => {
      addWork('prune');
      addWork('water');
      store.addHandoff(handoff());
      store.addHandoff(handoff({ workId: 2, at: 350 }));
      store.giveHandoff(1, 's2', 400);
      store.giveHandoff(2, 's3', 400);
      store.restageHandoffs('s2', 500);
      expect(store.getHandoff(1)).toMatchObject({ state: 'staged', givenTo: null });
      expect(store.getHandoff(2)).toMatchObject({ state: 'given', givenTo: 's3' });
      // A newer handoff was written meanwhile and replaces this one.
      store.addHandoff(handoff({ workId: 2, at: 600 }));
      store.restageHandoffs('s3', 700);
      expect(states()).toEqual([
        [3, 'staged'],
        [2, 'discarded'],
        [1, 'staged'],
      ]);
      store.setHandoffState(1, 'discarded', 800);
      store.restageHandoffs('s2', 900);
      expect(store.getHandoff(1)).toMatchObject({ state: 'discarded' });
    });

    it('are staged again when the session that took them leaves the work item', () => {
      addWork('prune');
      addWork('water');
      store.addHandoff(handoff());
      store.addHandoff(handoff({ workId: 2, at: 350 }));
      for (const id of [1, 2]) {
        store.giveHandoff(id, 's2', 400);
        store.setHandoffState(id, 'taken', 500);
      }
      store.returnHandoffs('s3', 1, 600);
      expect(store.getHandoff(1)).toMatchObject({ state: 'taken' });
      store.returnHandoffs('s2', 1, 600);
      expect(store.getHandoff(1)).toMatchObject({ state: 'staged', givenTo: null });
      expect(store.getHandoff(2)).toMatchObject({ state: 'taken', givenTo: 's2' });
    });
  });

  function states(): [number, Handoff['state']][] {
    return store.listHandoffs({ limit: 9 }).map(({ id, state }) => [id, state]);
  }
}
