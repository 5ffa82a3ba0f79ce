import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PastTurn, rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import type { Injection } from '../types/injection.ts';

const place = { path: '/shop/.git', name: 'shop', branch: 'main' };

describe('context queries of hooks', () => {
  let store: PlainStore;
  beforeEach(() => {
    store = openPlainStore(join(tempFolder(), 'cairn.db'));
  });
  afterEach(() => store.close());

  it('lists the latest, standing, branch and file candidates', () => {
    remember({ at: 1_000, observations: [{ title: 'old' }, { type: 'preference', title: 'standing' }] });
    remember({
      at: 2_000,
      place: { ...place, branch: 'retry' },
      session: 'b',
      observations: [{ title: 'retry' }],
    });
    remember({
      at: 3_000,
      observations: [{ title: 'file', filesRead: ['src/a.ts'] }],
      summary: { request: 'x' },
    });
    const ids = (query: object) =>
      store
        .listCandidates({ projectId: 1, limit: 10, which: 'recent', team: 'all', ...query } as never)
        .map(({ id }) => id);
    expect(ids({ limit: 2 })).toEqual([4, 3]);
    expect(ids({ which: 'standing' })).toEqual([2]);
    expect(ids({ which: 'branch', branch: 'retry' })).toEqual([3]);
    expect(ids({ which: 'files', files: ['src/a.ts', 'src/b.ts'] })).toEqual([4]);
    expect(ids({ projectId: 9 })).toEqual([]);
  });

  it('includes memories of projects merged into a project', () => {
    remember({ at: 1_000, observations: [{ title: 'one' }] });
    remember({
      at: 2_000,
      session: 'two',
      place: { path: '/other/.git', name: 'other' },
      observations: [{ title: 'two' }],
    });
    store.mergeProjects(2, 1);
    const found = store.listCandidates({ projectId: 1, limit: 10, which: 'recent', team: 'all' });
    expect(found.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('lists the last summary of each session, latest first', () => {
    remember({ at: 1_000, session: 'a', summary: { request: 'first of a' } });
    remember({ at: 2_000, session: 'b', summary: { request: 'only of b' } });
    remember({ at: 3_000, session: 'a', summary: { request: 'last of a' } });
    const titles = (limit: number) =>
      store.listLastSummaries({ projectId: 1, limit }).map(({ title }) => title);
    expect(titles(9)).toEqual(['last of a', 'only of b']);
    expect(titles(1)).toEqual(['last of a']);
  });

  it('lists notable files, without those that the session already knows', () => {
    remember({
      at: 1_000,
      session: 'a',
      observations: [
        { type: 'gotcha', title: 'trap', filesModified: ['src/a.ts'] },
        { type: 'change', title: 'trivia', filesModified: ['src/b.ts'] },
      ],
    });
    const notable = (agentSession: string, since = 0) =>
      store.listNotableFiles({ projectId: 1, unknownTo: { agentSession, since }, limit: 9 });
    expect([notable('new'), notable('a'), notable('a', 1_001)]).toEqual([['src/a.ts'], [], ['src/a.ts']]);
    const about = (path: string) =>
      store.listFileMemories({ projectId: 1, path, limit: 9, team: 'all' }).map(({ title }) => title);
    expect([about('src/a.ts'), about('src/b.ts'), about('a.ts')]).toEqual([['trap'], [], []]);
  });

  it('records each memory once per session, and again after the time since which it counts', () => {
    remember({ at: 1_000, observations: [{ title: 'one' }, { title: 'two' }] });
    const give = (memoryId: number, at: number): Injection => ({
      agent: 'claude-code',
      agentSession: 'new',
      source: 'prompt',
      memoryId,
      tokens: 5,
      reason: 'fits',
      at,
    });
    expect(store.recordNewInjections([give(1, 10)], 0)).toEqual([give(1, 10)]);
    expect(store.recordNewInjections([give(1, 20), give(2, 20)], 0)).toEqual([give(2, 20)]);
    expect(store.recordNewInjections([give(1, 30)], 25)).toEqual([give(1, 30)]);
    expect(store.findKnownMemories('new', 0)).toEqual(new Set([1, 2]));
    expect(store.findKnownMemories('new', 25)).toEqual(new Set([1]));
    expect(store.findKnownMemories('earlier', 0)).toEqual(new Set([1, 2]));
  });

  it('returns when a session was last seen and compacted', () => {
    remember({ at: 1_000, session: 'a' });
    expect(store.getSessionTimes('a')).toEqual({ lastSeen: 1_000, compactedAt: 0 });
    expect(store.getSessionTimes('nobody')).toBeNull();
  });

  it('lists memories of a branch until it is merged', () => {
    remember({ at: 1_000, commit: 'c1', observations: [{ title: 'on main' }] });
    remember({
      at: 2_000,
      session: 'b',
      commit: 'c2',
      place: { ...place, branch: 'retry' },
      observations: [{ title: 'retry' }],
    });
    const mains = [{ place: place.path, branch: 'main' }];
    const where = { place: place.path, branch: 'retry', commit: 'c2' };
    expect(store.listBranchMemories(mains)).toEqual([{ ...where, sessionBegan: 1_999 }]);
    expect(store.markMerged(where, 5_000)).toBe(1);
    expect(store.listBranchMemories(mains)).toEqual([]);
    expect(store.getMemory(2)?.mergedAt).toBe(5_000);
  });

  function remember(turn: Omit<PastTurn, 'place'> & Partial<Pick<PastTurn, 'place'>>): void {
    rememberTurn(store, { place, ...turn });
  }
});
