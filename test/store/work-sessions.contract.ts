import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import type { Orchard } from './continuity-set-up.ts';

/** Which session belongs to which work item. */
export function workSessionsContract(orchard: Orchard): void {
  const { addWork, bind, learn, take } = orchard;
  let store: PlainStore;
  beforeEach(() => {
    store = orchard.store();
  });

  describe('sessions', () => {
    it('belong to the work item to which they were bound last', () => {
      addWork('prune');
      addWork('water');
      expect(store.findSessionWorkItem('s1')).toBeNull();
      bind('s1', 1, 200);
      bind('s2', 1, 300);
      bind('s2', 2, 400);
      expect(store.findSessionWorkItem('s1')?.name).toBe('prune');
      expect(store.findSessionWorkItem('s2')?.name).toBe('water');
      expect(store.listWorkItemSessions(1)).toEqual([
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
      expect(
        store.listWorkItemSessions(1).map(({ agentSession, boundAt }) => [agentSession, boundAt]),
      ).toEqual([
        ['s2', 500],
        ['s1', 200],
      ]);
      expect(store.listWorkItemSessions(2)).toEqual([]);
    });

    it('keep their binding when bound to the same work item again', () => {
      addWork('prune');
      bind('s1', 1, 200);
      const bound = store.getWorkItem(1);
      bind('s1', 1, 300);
      expect(store.getWorkItem(1)).toEqual(bound);
      expect(store.listWorkItemSessions(1)).toMatchObject([{ boundAt: 200 }]);
    });

    it('have the times when they were last seen and ended', () => {
      addWork('prune');
      bind('s1', 1, 200);
      take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
      take('s1', { kind: 'session-end', reason: 'clear' }, 400);
      expect(store.listWorkItemSessions(1)).toMatchObject([{ lastSeen: 400, endedAt: 400 }]);
    });

    it('have the reason of their last binding', () => {
      addWork('prune');
      addWork('water');
      expect(store.getBinding('s1')).toBeNull();
      bind('s1', 1, 200);
      store.bindSession({ agent: 'claude-code', agentSession: 's1', workId: 2, by: 'similar', at: 300 });
      expect(store.getBinding('s1')).toEqual({ by: 'similar', at: 300 });
    });

    it('belong to no work item after leaving it, until they are bound again', () => {
      addWork('prune');
      bind('s1', 1, 200);
      take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
      store.leaveWorkItem({ agent: 'claude-code', agentSession: 's1', workId: 1, at: 400 });
      expect(store.findSessionWorkItem('s1')).toBeNull();
      expect(store.getBinding('s1')).toBeNull();
      expect(store.listWorkItemSessions(1)).toEqual([]);
      expect(store.hasOpenSession(1)).toBe(false);
      expect(store.listLeftWorkItems('s1')).toEqual(new Set([1]));
      bind('s1', 1, 500);
      expect(store.findSessionWorkItem('s1')).toMatchObject({ name: 'prune' });
      expect(store.listLeftWorkItems('s1')).toEqual(new Set());
    });

    it('count as open until they end or are bound to another work item', () => {
      addWork('prune');
      addWork('water');
      expect(store.hasOpenSession(1)).toBe(false);
      bind('s1', 1, 200);
      expect(store.hasOpenSession(1)).toBe(true);
      expect(store.hasOpenSession(1, { besides: 's1' })).toBe(false);
      // Before intake has seen the session, the time of its binding counts.
      expect(store.hasOpenSession(1, { after: 199 })).toBe(true);
      expect(store.hasOpenSession(1, { after: 200 })).toBe(false);
      take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, 300);
      expect(store.hasOpenSession(1, { after: 299 })).toBe(true);
      expect(store.hasOpenSession(1, { after: 300 })).toBe(false);
      bind('s2', 1, 310);
      bind('s2', 2, 320);
      take('s1', { kind: 'session-end', reason: 'clear' }, 400);
      expect(store.hasOpenSession(1)).toBe(false);
      expect(store.hasOpenSession(2)).toBe(true);
    });

    it('give a work item the memories made while they were bound to it', () => {
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
        store.listWorkItemMemories(id, limit).map((memory) => memory.title);
      expect(titles(1)).toEqual(['last', 'first', 'before it was bound']);
      expect(titles(1, 1)).toEqual(['last']);
      expect(titles(2)).toEqual(['between']);
      const [last] = store.listWorkItemMemories(1, 1);
      const short = store.listWorkItemMemories(1, 2).map(({ id, title }) => ({ id, title }));
      expect(store.listWorkItemMemoryTitles(1, { limit: 2 })).toEqual(short);
      expect(store.listWorkItemMemoryTitles(1, { limit: 2, type: last?.type ?? 'change' })).toEqual(short);
      expect(store.listWorkItemMemoryTitles(1, { limit: 2, type: 'gotcha' })).toEqual([]);
    });

    it('count as shown a work item only since the last time it was shown', () => {
      addWork('prune');
      expect(store.wasWorkItemShown('s1', 1, 0)).toBe(false);
      store.recordWorkItemShown('s1', 1, 200);
      expect([
        store.wasWorkItemShown('s1', 1, 0),
        store.wasWorkItemShown('s1', 1, 201),
        store.wasWorkItemShown('s2', 1, 0),
      ]).toEqual([true, false, false]);
      store.recordWorkItemShown('s1', 1, 300);
      expect(store.wasWorkItemShown('s1', 1, 201)).toBe(true);
    });
  });
}
