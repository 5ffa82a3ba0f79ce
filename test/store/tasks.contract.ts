import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import { type Orchard, task } from './continuity-set-up.ts';

export function tasksContract(orchard: Orchard): void {
  const { addWork } = orchard;
  let store: PlainStore;
  beforeEach(() => {
    store = orchard.store();
  });

  describe('tasks', () => {
    it('are numbered within each work item, and found by key', () => {
      addWork('prune');
      addWork('water');
      const first = store.addTask(task());
      const { at, ...fields } = task();
      expect(first).toEqual({ id: 1, number: 1, ...fields, createdAt: at, changedAt: at });
      store.addTask(task({ workId: 2 }));
      const second = store.addTask(task({ subject: 'Sharpen the saw', key: null, source: 'person' }));
      expect(second.number).toBe(2);
      expect(store.listTasks(1)).toEqual([first, second]);
      expect(store.findTaskByKey(1, 's1 1')).toEqual(first);
      expect(store.findTaskByKey(1, 's1 2')).toBeNull();
      expect(store.findTaskByKey(3, 's1 1')).toBeNull();
    });

    it('keep a history of their states', () => {
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
      expect(store.listTaskChanges(1)).toEqual([
        { state: 'open', by: 'agent', at: 200 },
        { state: 'doing', by: 'agent', at: 300 },
        { state: 'done', by: 'person', at: 500 },
      ]);
      expect(() => store.changeTask(7, {}, 'agent', 1)).toThrow('There is no task with the number 7.');
    });
  });
}
