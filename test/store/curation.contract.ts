import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/model/memory.ts';
import { countTokens } from '../../src/model/tokens.ts';
import type { ForgetTargets, Forgotten, NewNote } from '../../src/store/types/curation.ts';
import type { Job } from '../../src/store/types/job.ts';
import type { DistilledTurn } from '../../src/store/types/memory.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { NOTHING_SAID, PLACE, sessionIn } from './session.contract.ts';

/** Changes to memories by hand, and forgetting, after which a memory must not come back. */
export function curationContract(name: string, open: () => PlainStore): void {
  describe(`${name} curation`, () => {
    let store: PlainStore;
    let session: ReturnType<typeof sessionIn>;
    beforeEach(() => {
      store = open();
      session = sessionIn(store);
    });
    afterEach(() => store.close());

    describe('notes', () => {
      it('stores a note with its author, place and files', () => {
        session.turn('one');
        const pins = [{ path: 'src/a.ts', hash: 'abc', symbols: ['round'] }];
        const newNote = note('Round half to even', {
          narrative: 'Banks do so.',
          type: 'decision',
          files: ['src/a.ts'],
          aliases: ['banker'],
          commit: 'def',
          agentSession: 's',
          pins,
        });
        expect(store.addNote(newNote, 7_000)).toEqual({ id: 1, isNew: true });
        expect(store.getMemory(1)).toEqual({
          id: 1,
          kind: 'note',
          type: 'decision',
          title: 'Round half to even',
          subtitle: '',
          narrative: 'Banks do so.',
          facts: [],
          concepts: [],
          parts: null,
          tokens: countTokens('Round half to even\n\nBanks do so.'),
          strength: 1,
          supersededBy: null,
          turnId: 1,
          sessionId: 1,
          project: 'repo',
          prompt: 1,
          branch: 'main',
          commit: 'def',
          distiller: 'hand',
          at: 7_000,
          filesRead: ['src/a.ts'],
          filesModified: [],
          projectId: 1,
          scope: 'project',
          saidBy: 'person',
          aliases: ['banker'],
          pins,
          pinnedAt: null,
          editedAt: null,
          mergedAt: null,
          origin: null,
          author: null,
        });
      });

      it("lists the agent's notes of a turn, and adds the turn's evidence to them", () => {
        session.turn('one');
        const byAgent = { saidBy: 'agent', files: ['src/a.ts'] };
        store.addNote(note('Before it', { ...byAgent, agentSession: 's' }), 900);
        store.addNote(note('In it', { ...byAgent, agentSession: 's' }), 1_002);
        store.addNote(note('Before the session was known', byAgent), 1_002);
        store.addNote(note('By the person', { agentSession: 's' }), 1_002);
        store.addNote(note('Elsewhere', { ...byAgent, place: { ...PLACE, path: '/other/.git' } }), 1_002);
        const notes = store.listTurnNotes(1);
        expect(notes.map(({ id, title }) => [id, title])).toEqual([
          [2, 'In it'],
          [3, 'Before the session was known'],
        ]);
        const [event] = store.listTurnEvents(1, 0, 10);
        const pins = [{ path: 'src/b.ts', hash: 'abc', symbols: [] }];
        const files = { filesRead: ['src/a.ts'], filesModified: ['src/b.ts'], pins };
        const evidence = { note: 3, type: 'gotcha' as const, ...files, events: [event?.id ?? 0] };
        const job = session.claim();
        store.saveDistilled(
          job,
          { distiller: 'offline', observations: [], summary: null, notes: [evidence] },
          6_000,
        );
        expect(store.getMemory(3)).toMatchObject({
          ...files,
          type: 'gotcha',
          turnId: 1,
          sessionId: 1,
          prompt: 1,
        });
        expect(store.listMemoryEvents(3)).toHaveLength(1);
      });

      it('strengthens a note with the same text, ignoring case and markup', () => {
        store.addNote(note('Use pnpm', { narrative: 'Never npm.', aliases: ['npm'] }), 1);
        const again = note('use PNPM', { narrative: '*never* npm', aliases: ['packages'], isPinned: true });
        expect(store.addNote(again, 2)).toEqual({ id: 1, isNew: false });
        expect(store.getMemory(1)).toMatchObject({ strength: 2, aliases: ['npm', 'packages'], pinnedAt: 2 });
        expect(store.addNote(note('Use pnpm', { narrative: 'Never yarn.' }), 3)).toMatchObject({ id: 2 });
        const place = { path: '/other', name: 'other' };
        expect(store.addNote(note('Use pnpm', { narrative: 'Never npm.', place }), 4)).toMatchObject({
          id: 3,
        });
      });

      it('creates no project for a global note', () => {
        expect(store.addNote(note('Answer in German', { scope: 'global' }), 1)).toEqual({
          id: 1,
          isNew: true,
        });
        expect(store.getMemory(1)).toMatchObject({ scope: 'global', projectId: null });
        expect(store.listProjects()).toEqual([]);
      });
    });

    describe('editing and pinning', () => {
      it('changes only the given fields and recounts tokens', () => {
        store.addNote(note('Use pnpm', { narrative: 'Never npm.' }), 1);
        const before = store.getMemory(1);
        const change = { title: 'Use yarn for everything here', aliases: ['pnpm'], scope: 'global' } as const;
        expect(store.editMemory(1, { ...change, aliases: [...change.aliases] }, 9)).toBe(true);
        const tokens = countTokens(`${change.title}\n\nNever npm.`);
        expect(store.getMemory(1)).toEqual({ ...before, ...change, tokens, editedAt: 9 });
        expect(store.editMemory(7, change as never, 9)).toBe(false);
        expect(store.pinMemory(1, 11)).toBe(true);
        expect(store.getMemory(1)).toMatchObject({ pinnedAt: 11 });
        expect(store.pinMemory(1, null)).toBe(true);
        expect(store.getMemory(1)).toMatchObject({ pinnedAt: null });
        expect(store.pinMemory(7, 11)).toBe(false);
      });

      it('protects memories when their turn is distilled again, without adding duplicates', () => {
        session.turn('one');
        save(session.claim(), [made('alpha was wrong', { events: [1] }), made('beta is slow')], {
          request: 'ask',
        });
        store.editMemory(1, { title: 'Alpha was right', facts: ['by hand'] }, 8);
        store.pinMemory(2, 8);
        store.editMemory(3, { title: 'my summary' }, 8);
        session.again();
        save(
          session.claim(),
          [
            made('alpha was wrong', { type: 'gotcha' }),
            made('Alpha in the words of a model', { events: [1] }),
            made('beta is slow'),
            made('gamma is new'),
          ],
          { request: 'better' },
        );
        expect(titles()).toEqual([
          [1, 'Alpha was right'],
          [2, 'beta is slow'],
          [3, 'my summary'],
          [4, 'gamma is new'],
        ]);
      });
    });

    describe('history', () => {
      it('has the prompt, the repetitions and the replaced memories', () => {
        session.turn('one');
        save(session.claim(), [made('use npm', { type: 'preference' })]);
        session.turn('two');
        save(session.claim(), [{ ...made('use pnpm', { type: 'preference' }), supersedes: 1 }]);
        session.turn('three');
        save(session.claim(), [{ ...made('use pnpm', { type: 'preference' }), same: 2 }]);
        expect(store.getMemoryHistory(2)).toEqual({
          prompt: 'two',
          agent: 'claude-code',
          agentSession: 's',
          repeatedIn: [{ sessionId: 1, prompt: 3, at: 1009 }],
          replaced: [1],
        });
        expect(store.getMemoryHistory(9)).toBeNull();
      });
    });

    describe('forgetting', () => {
      const secret = 'The lantern code of the quokka is violet';
      const other = 'The build takes four minutes on the old machine';

      it('removes a memory, and its sentences from other memories of the turn', () => {
        session.turn('one');
        save(
          session.claim(),
          [
            made(secret, { narrative: 'It opens the gate.', facts: ['Nobody else knows.'] }),
            made(other, {
              narrative: `It is slow. ${secret}, said Robin.`,
              facts: [secret, 'It is slow on Monday'],
            }),
          ],
          {
            request: `Tell me. ${secret}.`,
            learned: `${secret}. The gate is old.`,
            notes: 'It opens the gate.',
          },
        );
        store.recordInjections([injected(1), injected(2)]);
        expect(forget({ memories: [1] })).toEqual({
          trashId: expect.any(Number),
          missing: NONE,
          memories: [{ id: 1, kind: 'observation', title: secret, projectId: 1, files: [] }],
          trimmed: [
            { id: 2, kind: 'observation', title: other, projectId: 1, files: [], sentences: 2 },
            { id: 3, kind: 'summary', title: 'Tell me.', projectId: 1, files: [], sentences: 3 },
          ],
          prompts: 0,
          events: 0,
          keptEvents: 2,
          injections: 1,
          works: 0,
          renamedWorks: [],
        });
        expect(store.getMemory(1)).toBeNull();
        expect(store.getMemory(2)).toMatchObject({
          title: other,
          narrative: 'It is slow.',
          facts: ['It is slow on Monday'],
          tokens: countTokens(`${other}\nDecided by the person\nIt is slow.\nIt is slow on Monday`),
        });
        expect(store.getMemory(3)).toMatchObject({
          title: 'Tell me.',
          parts: { request: 'Tell me.', learned: 'The gate is old.', notes: '' },
        });
        expect(store.listInjections(2)).toHaveLength(1);
        expect(promptTexts()).toEqual(['one']);
      });

      it('deletes memories without other content, and links a predecessor to the successor', () => {
        session.turn('one');
        save(session.claim(), [
          made('first'),
          { ...made('second'), supersedes: 1 },
          { ...made('third'), supersedes: 2 },
        ]);
        forget({ memories: [2] });
        expect(store.getMemory(1)).toMatchObject({ supersededBy: 3 });
        session.turn('two');
        save(session.claim(), [
          made(secret, { narrative: '', facts: [] }),
          made(`${secret}!`, { narrative: '', facts: [] }),
        ]);
        expect(forget({ memories: [4] }).memories.map(({ id }) => id)).toEqual([4, 5]);
      });

      it('keeps a memory forgotten when its turn is distilled again, and queues no job for a model', () => {
        session.turn('one');
        const first = [made(secret, { events: [1] }), made(other, { events: [2] })];
        save(session.claim(), first, { request: `${secret}. Also look at the build.` }, { next: 'polish' });
        forget({ memories: [1] });
        expect(store.listJobs()).toEqual([]);
        session.again();
        save(
          session.claim(),
          [
            ...first,
            made('All of it, in other words', { events: [1] }),
            made(`Robin says: ${secret.toLowerCase()}`, { narrative: 'The hinge squeaks.', facts: [] }),
          ],
          { request: `${secret}. Also look at the build.`, learned: `Noted: ${secret}, of course.` },
          { next: 'polish' },
        );
        expect(store.listJobs()).toEqual([]);
        expect(titles()).toEqual([
          [2, other],
          [3, 'Also look at the build.'],
          [4, 'The hinge squeaks.'],
        ]);
        expect(store.getMemory(3)).toMatchObject({
          parts: { request: 'Also look at the build.', learned: '' },
        });
      });

      it('keeps a memory forgotten when a turn that repeated it is distilled again', () => {
        session.turn('one');
        save(session.claim(), [made(secret)]);
        session.turn('two');
        save(session.claim(), [{ ...made(secret), same: 1 }]);
        forget({ memories: [1] });
        session.again();
        save(session.claim(), [made(secret)]);
        expect(titles()).toEqual([]);
      });

      it('with the source empties raw events and prompts, but keeps their keys', () => {
        session.turn(secret);
        session.turn('two', { response: { stdout: `so\n${secret}\n` } });
        session.turn('three');
        save(session.claim(), [made(secret), made(other)], {
          request: secret,
          completed: 'Wrote the lantern code down.',
        });
        save(session.claim(), [made(`Robin says that ${secret}`, { narrative: '' }), made(other)]);
        save(session.claim(), [made('three')]);
        expect(forget({ memories: [1] }, true)).toMatchObject({
          memories: [{ id: 1 }, { id: 3 }, { id: 4 }],
          prompts: 1,
          events: 3,
          keptEvents: 0,
        });
        expect(promptTexts()).toEqual(['', 'two', 'three']);
        expect(
          store
            .listSessionEvents(1)
            .events.map(({ kind, callId, input, text }) => [kind, callId, input, text]),
        ).toEqual([
          ['tool-end', `call-${secret}`, null, null],
          ['turn-end', null, null, null],
          ['tool-end', 'call-two', null, null],
          ['turn-end', null, null, 'done two'],
          ['tool-end', 'call-three', {}, null],
          ['turn-end', null, null, 'done three'],
        ]);
        expect(
          store.ingest([{ ...session.event(session.toolEnd('two')), name: 'again' }], 9_000),
        ).toMatchObject({
          stored: 0,
        });
        // The rest of the turn has less content than the memories made from it, so it is not distilled again.
        store.addJob('distil', 1, 'high', 9_000);
        save(session.claim(), []);
        expect(titles()).toEqual([
          [2, other],
          [5, other],
          [6, 'three'],
        ]);
      });

      it('of a prompt empties its text and trims memories that quote it', () => {
        session.turn(`look at this. ${secret}`);
        save(session.claim(), [made(secret), made(other)], { request: 'look at this.', notes: 'Two gates.' });
        expect(forget({ prompts: [1] })).toMatchObject({
          memories: [],
          trimmed: [{ id: 1 }, { id: 3 }],
          prompts: 1,
          events: 0,
        });
        expect(promptTexts()).toEqual(['']);
        expect(titles()).toEqual([
          [1, 'told'],
          [2, other],
          [3, 'Two gates.'],
        ]);
      });

      it('of a session removes all its memories and prevents new ones', () => {
        session.turn('one');
        save(session.claim(), [made('first')], { request: 'one' });
        session.turn('two');
        expect(forget({ sessions: [1] })).toMatchObject({
          memories: [{ id: 1 }, { id: 2 }],
          events: 0,
          keptEvents: 4,
        });
        save(session.claim(), [made('second')]);
        expect(titles()).toEqual([]);
        expect(forget({ sessions: [1] }, true)).toMatchObject({ memories: [], prompts: 2, events: 4 });
        expect(promptTexts()).toEqual(['', '']);
      });

      it('changes nothing if a target is missing, or in a dry run', () => {
        session.turn('one');
        save(session.claim(), [made(secret)]);
        const missing = { memories: [7], prompts: [8], sessions: [9] };
        expect(forget({ memories: [1, 7], prompts: [8], sessions: [9] }).missing).toEqual(missing);
        const options = { withSource: true, isDryRun: true };
        const planned = store.forget({ ...NONE, memories: [1] }, options, 9);
        expect(planned).toMatchObject({ memories: [{ id: 1 }], prompts: 1, events: 2 });
        expect(titles()).toEqual([[1, secret]]);
        expect(promptTexts()).toEqual(['one']);
        session.again();
        save(session.claim(), [made(secret)]);
        expect(titles()).toEqual([[1, secret]]);
      });

      it('makes the text known as forgotten, but a person may add it again', () => {
        store.addNote(note(secret, { narrative: 'It opens the gate on Monday.' }), 1);
        expect(store.isForgotten({ text: secret })).toBe(false);
        forget({ memories: [1] });
        expect(store.isForgotten({ text: `Hello.\n${secret.toUpperCase()}!` })).toBe(true);
        expect(store.isForgotten({ text: 'The gate is old.', origin: 'elsewhere' })).toBe(false);
        expect(store.addNote(note(secret), 2)).toEqual({ id: 2, isNew: true });
      });

      it('removes quotations from errors and reasons', () => {
        session.turn('one');
        session.turn('two');
        save(session.claim(), [made(secret), made(other)]);
        store.recordInjections([{ ...injected(2), reason: `because ${secret}` }]);
        store.postponeJob(session.claim(), `cannot read "${secret}"`, 9);
        forget({ memories: [1] });
        expect(store.listInjections(2)).toMatchObject([{ reason: '(forgotten)' }]);
        expect(store.listJobs()).toMatchObject([{ error: '(forgotten)' }]);
      });
    });

    function forget(targets: Partial<ForgetTargets>, withSource = false): Omit<Forgotten, 'wording'> {
      const { wording: _, ...rest } = store.forget(
        { ...NONE, ...targets },
        { withSource, isDryRun: false },
        9_000,
      );
      return rest;
    }

    function titles(): [number, string][] {
      const memories = store.listRecentMemories({ limit: 99 }).sort((a, b) => a.id - b.id);
      return memories.map(({ id, title }) => [id, title]);
    }

    function promptTexts(): string[] {
      return store.listSessionEvents(1).prompts.map(({ text }) => text);
    }

    function save(
      job: Job,
      observations: (Observation & { same?: number; supersedes?: number })[],
      parts?: Partial<NonNullable<DistilledTurn['summary']>>,
      more: Partial<DistilledTurn> = {},
    ): void {
      const summary = parts ? { ...NOTHING_SAID, title: parts.request ?? '', tokens: 3, ...parts } : null;
      const counted = observations.map((observation) => ({ ...observation, tokens: 7 }));
      store.saveDistilled(job, { distiller: 'offline', observations: counted, summary, ...more }, 6_000);
    }
  });
}

const NONE: ForgetTargets = { memories: [], prompts: [], sessions: [] };

function made(title: string, more: Partial<Observation> = {}): Observation {
  return {
    type: 'bugfix',
    title,
    subtitle: 'Decided by the person',
    narrative: 'told',
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    events: [],
    ...more,
  };
}

function note(title: string, more: Partial<NewNote> = {}): NewNote {
  return {
    type: null,
    title,
    narrative: '',
    aliases: [],
    files: [],
    pins: [],
    scope: 'project',
    saidBy: 'person',
    isPinned: false,
    place: PLACE,
    ...more,
  };
}

function injected(memoryId: number) {
  const to = { agent: 'claude-code', agentSession: 'later', source: 'prompt' as const };
  return { ...to, memoryId, tokens: 7, reason: 'it fits', at: 8_000 };
}
