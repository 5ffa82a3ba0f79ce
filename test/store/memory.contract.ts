import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/model/memory.ts';
import type { Job } from '../../src/store/types/job.ts';
import type { DistilledTurn, FilePin } from '../../src/store/types/memory.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { NOTHING_SAID, sessionIn } from './session.contract.ts';

/** Jobs, turns, and the memories distilled from them. */
export function memoryContract(name: string, open: () => PlainStore): void {
  describe(`${name} jobs and memories`, () => {
    let store: PlainStore;
    let session: ReturnType<typeof sessionIn>;
    beforeEach(() => {
      store = open();
      session = sessionIn(store);
    });
    afterEach(() => store.close());

    it('leases a job once, and again when the lease has expired or is released', () => {
      session.turn('one');
      const job = session.claim();
      expect(job).toMatchObject({ kind: 'distil', turnId: 1, state: 'leased', attempts: 1 });
      expect(store.claimJob(['distil'], 5_000, 1_000)).toBeNull();
      expect(store.claimJob(['distil'], 7_000, 1_000)).toMatchObject({ id: job.id, attempts: 2 });
      expect(store.releaseLeases()).toBe(1);
      expect(store.claimJob(['distil'], 7_001, 1_000)).toMatchObject({ id: job.id });
    });

    it('claims high priority before normal, and no job of an open turn', () => {
      session.turn('one');
      session.turn('two', { priority: 'high' });
      session.take({ kind: 'prompt', text: 'three', origin: 'person', promptId: 'three' });
      expect(session.claim().turnId).toBe(2);
      expect(session.claim().turnId).toBe(1);
      expect(store.claimJob(['distil'], 5_000, 1_000)).toBeNull();
    });

    it('postpones, buries, retries and drops jobs', () => {
      session.turn('one');
      const job = session.claim();
      store.postponeJob(job, 'no network', 9_000);
      expect(store.claimJob(['distil'], 8_999, 1)).toBeNull();
      expect(store.findNextJobTime(['distil'])).toBe(9_000);
      const again = store.claimJob(['distil'], 9_000, 1) as Job;
      store.buryJob(again, 'it is poison', 9_001);
      expect(store.listJobs()).toMatchObject([{ state: 'dead', error: 'it is poison', attempts: 2 }]);
      expect(store.findNextJobTime(['distil'])).toBeNull();
      expect(store.retryJobs('all')).toBe(1);
      expect(store.listJobs()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
      expect(store.dropJobs(again.id)).toBe(1);
      expect(store.listJobs()).toEqual([]);
    });

    it('claims a job postponed so far that only a wrong clock can have set the time', () => {
      session.turn('one');
      store.postponeJob(session.claim(), 'later', 5_000 + 24 * 3_600_000);
      expect(store.claimJob(['distil'], 5_000, 1_000)).toMatchObject({ turnId: 1 });
    });

    it('discards the result of a turn that was closed again meanwhile, and keeps its job', () => {
      session.turn('one');
      const job = session.claim();
      session.take({ kind: 'turn-end', text: 'more', continued: true, promptId: 'one' });
      expect(store.saveDistilled(job, result([observation('too early')]), 5_000)).toBe(false);
      expect(store.listRecentMemories({ limit: 9 })).toEqual([]);
      expect(session.claim()).toMatchObject({ id: job.id, generation: job.generation + 1 });
    });

    it('stores the memories of a turn with their sources, and finishes the job', () => {
      session.turn('one');
      const [event] = store.listTurnEvents(1, 0, 10);
      const made = observation('Rounding was wrong', {
        events: [event?.id ?? 0],
        filesModified: ['src/a.ts'],
        pins: [{ path: 'src/a.ts', hash: 'abc', symbols: ['round'] }],
      });
      expect(store.saveDistilled(session.claim(), result([made], 'fix it'), 6_000)).toBe(true);
      expect(store.listJobs()).toEqual([]);
      expect(store.getMemory(1)).toEqual({
        id: 1,
        kind: 'observation',
        type: 'bugfix',
        title: 'Rounding was wrong',
        subtitle: '',
        narrative: 'told',
        facts: ['a fact'],
        concepts: ['rounding'],
        parts: null,
        tokens: 7,
        strength: 1,
        supersededBy: null,
        turnId: 1,
        sessionId: 1,
        project: 'repo',
        prompt: 1,
        branch: 'main',
        commit: 'abc',
        distiller: 'offline',
        at: 1003,
        filesRead: [],
        filesModified: ['src/a.ts'],
        projectId: 1,
        scope: 'project',
        saidBy: 'distiller',
        aliases: [],
        pins: [{ path: 'src/a.ts', hash: 'abc', symbols: ['round'] }],
        pinnedAt: null,
        editedAt: null,
        mergedAt: null,
        origin: null,
        author: null,
      });
      expect(store.listMemoryEvents(1).map(({ kind }) => kind)).toEqual(['tool-end']);
      expect(store.listRecentMemories({ kind: 'summary', limit: 1 })).toMatchObject([
        { id: 2, title: 'fix it', parts: { request: 'fix it' } },
      ]);
    });

    it('lists the sessions that a memory was given to, with reasons', () => {
      session.turn('one');
      store.saveDistilled(session.claim(), result([observation('one'), observation('two')]), 6_000);
      const injection = { agent: 'claude-code', source: 'prompt', tokens: 7, reason: 'says so' } as const;
      store.recordInjections([
        { ...injection, agentSession: 'a', memoryId: 1, at: 1 },
        { ...injection, agentSession: 'a', memoryId: 2, at: 5 },
        { ...injection, agentSession: 'b', memoryId: 1, at: 9 },
      ]);
      expect(store.listInjections(1)).toEqual([
        { ...injection, agentSession: 'a', memoryId: 1, at: 1 },
        { ...injection, agentSession: 'b', memoryId: 1, at: 9 },
      ]);
    });

    it('replaces a result atomically and keeps the ids', () => {
      session.turn('one');
      store.saveDistilled(
        session.claim(),
        { ...result([observation('a'), observation('b')], 'ask'), next: 'polish' },
        6_000,
      );
      const polish = store.claimJob(['polish'], 7_000, 1_000) as Job;
      store.saveDistilled(polish, { ...result([observation('better')], 'ask'), distiller: 'model:x' }, 7_000);
      expect(
        store
          .listRecentMemories({ limit: 9 })
          .map(({ id, kind, title, distiller }) => [id, kind, title, distiller]),
      ).toEqual([
        [3, 'summary', 'ask', 'model:x'],
        [1, 'observation', 'better', 'model:x'],
      ]);
      expect(store.listJobs()).toEqual([]);
    });

    it('strengthens a repeated memory once per turn, and links a replaced one', () => {
      session.turn('one');
      store.saveDistilled(session.claim(), result([observation('use pnpm', { type: 'preference' })]), 6_000);
      session.turn('two');
      expect(store.findSimilarMemories(2, 'preference', [])).toMatchObject([{ id: 1 }]);
      const same = { ...observation('use pnpm', { type: 'preference' }), tokens: 1, same: 1 };
      const job = session.claim();
      store.saveDistilled(job, { ...result([]), observations: [same], next: 'polish' }, 6_000);
      const polish = store.claimJob(['polish'], 7_000, 1_000) as Job;
      store.saveDistilled(polish, { ...result([]), observations: [same] }, 6_000);
      expect(store.getMemory(1)).toMatchObject({ strength: 2 });
      session.turn('three');
      const other = { ...observation('use npm', { type: 'preference' }), tokens: 1, supersedes: 1 };
      store.saveDistilled(session.claim(), { ...result([]), observations: [other] }, 6_000);
      expect(store.getMemory(1)).toMatchObject({ supersededBy: 2 });
      expect(store.findSimilarMemories(3, 'preference', [])).toEqual([]);
    });

    it('corrects earlier memories: shortens, replaces or deletes them, except pinned ones', () => {
      session.turn('one');
      const made = ['kept', 'replaced', 'pinned'].map((title) => observation(title));
      store.saveDistilled(session.claim(), result(made, 'ask'), 6_000);
      store.pinMemory(3, 6_500);
      session.turn('two');
      expect(store.listEarlierMemories(2).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
      const left = { title: 'shorter', subtitle: '', narrative: '', facts: ['holds'], parts: null };
      const corrected = [
        { memory: 1, left },
        { memory: 2, left: null },
        { memory: 3, left: null },
      ];
      store.saveDistilled(session.claim(), { ...result([observation('new')]), corrected }, 7_000);
      expect([1, 2, 3].map((id) => store.getMemory(id))).toMatchObject([
        { ...left, supersededBy: null },
        { title: 'replaced', supersededBy: 5 },
        { title: 'pinned', supersededBy: null },
      ]);
      session.turn('three');
      store.saveDistilled(session.claim(), { ...result([]), corrected: [{ memory: 1, left: null }] }, 8_000);
      expect(store.getMemory(1)).toBeNull();
    });

    it('finds similar memories only about the same file', () => {
      session.turn('one');
      store.saveDistilled(
        session.claim(),
        result([observation('a', { filesModified: ['src/a.ts'] })]),
        6_000,
      );
      session.turn('two');
      expect(store.findSimilarMemories(2, 'bugfix', ['src/a.ts', 'src/b.ts'])).toMatchObject([
        { title: 'a' },
      ]);
      expect(store.findSimilarMemories(2, 'bugfix', ['src/b.ts'])).toEqual([]);
      expect(store.findSimilarMemories(2, 'gotcha', ['src/a.ts'])).toEqual([]);
    });

    it('closes silent turns', () => {
      session.take({ kind: 'prompt', text: 'one', origin: 'person', promptId: 'one' });
      expect(store.closeSilentTurns(1_000)).toBe(0);
      expect(store.countOpenTurns()).toBe(1);
      expect(store.closeSilentTurns(2_000)).toBe(1);
      expect(store.countOpenTurns()).toBe(0);
      expect(store.readTurn(1)).toMatchObject({ closedBy: 'gap', prompts: [{ text: 'one' }] });
    });

    it('reads a turn with the earlier prompts and words, and its events page by page', () => {
      session.turn('one');
      session.turn('two');
      expect(store.readTurn(2)).toMatchObject({
        earlierPrompts: ['one'],
        earlierWords: 'done one',
        folder: '/repo',
      });
      const first = store.listTurnEvents(2, 0, 1);
      const rest = store.listTurnEvents(2, first[0]?.id ?? 0, 10);
      expect([...first, ...rest].map(({ kind }) => kind)).toEqual(['tool-end', 'turn-end']);
    });

    it('empties old raw events of distilled turns and keeps their keys', () => {
      session.turn('one');
      session.turn('two');
      store.saveDistilled(session.claim(), result([observation('kept', { events: [1] })]), 6_000);
      expect(store.emptyOldEvents({ before: 9_999, maxBytes: 1e12 })).toBe(2);
      expect(store.listMemoryEvents(1)).toMatchObject([
        { kind: 'tool-end', callId: 'call-one', input: null, response: null },
      ]);
      const [again] = [{ ...session.event(session.toolEnd('one')), name: 'again' }];
      expect(store.ingest([again], 9_999)).toMatchObject({ stored: 0, doubled: 1 });
      expect(
        store.listTurnEvents(2, 0, 9).every(({ kind, response }) => kind !== 'tool-end' || response === 'ok'),
      ).toBe(true);
    });

    it('counts model calls and their tokens since a time', () => {
      session.turn('one');
      const call = { provider: 'p', model: 'm', turnId: 1, tokensIn: 10, tokensOut: 5, error: null };
      store.recordModelCall({ ...call, at: 1 });
      store.recordModelCall({ ...call, at: 100 });
      expect(store.countModelCalls(50)).toEqual({ calls: 1, tokens: 15 });
    });
  });
}

function observation(title: string, more: Partial<Made> = {}): Made {
  return {
    type: 'bugfix',
    title,
    subtitle: '',
    narrative: 'told',
    facts: ['a fact'],
    concepts: ['rounding'],
    filesRead: [],
    filesModified: [],
    events: [],
    ...more,
  };
}

type Made = Observation & { pins?: FilePin[] };

function result(observations: Made[], request?: string): DistilledTurn {
  return {
    distiller: 'offline',
    observations: observations.map((made) => ({ ...made, tokens: 7 })),
    summary: request === undefined ? null : { ...NOTHING_SAID, request, title: request, tokens: 3 },
    commit: 'abc',
  };
}
