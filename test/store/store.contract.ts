import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent, CapturedEvent, ToolCall } from '../../src/model/agent-event.ts';
import type { Place } from '../../src/model/project.ts';
import type { SpoolIntake } from '../../src/store/types/intake.ts';
import type { PlainStore } from '../support/plain-store.ts';

/** Ingest, sessions and projects. */
export function storeContract(name: string, open: () => PlainStore): void {
  describe(`${name} store`, () => {
    let store: PlainStore;

    beforeEach(() => {
      serial = 0;
      store = open();
    });
    afterEach(() => store.close());

    const events = (session = 1) => store.listSessionEvents(session).events;

    it('stores a session with its prompts, calls, files and closing words', () => {
      take(
        file({ kind: 'session-start', source: 'startup', model: 'opus' }),
        file({ kind: 'prompt', text: 'fix the test', origin: 'person', promptId: 'p1' }),
        file({ ...ended(call('c1', 'Edit', '/repo/a.ts')), promptId: 'p1' }),
        file({ kind: 'turn-end', text: 'Fixed.', continued: false, promptId: 'p1' }),
        file({ kind: 'session-end', reason: 'other' }),
      );
      expect(store.listRecentSessions({ limit: 5 })).toEqual([
        {
          id: 1,
          agent: 'claude-code',
          agentSession: 's1',
          project: 'repo',
          projectId: 1,
          worktree: null,
          branch: 'main',
          model: 'opus',
          startSource: 'startup',
          endReason: 'other',
          firstSeen: 1001,
          lastSeen: 1005,
          endedAt: 1005,
          prompts: 1,
          events: 4,
          firstPrompt: 'fix the test',
          lastPrompt: 'fix the test',
          closingWords: 'Fixed.',
          changedFiles: ['/repo/a.ts'],
        },
      ]);
      expect(events().map(({ kind, prompt, callId }) => [kind, prompt, callId])).toEqual([
        ['session-start', null, null],
        ['tool-end', 1, 'c1'],
        ['turn-end', 1, null],
        ['session-end', 1, null],
      ]);
      expect(store.countEverything()).toMatchObject({
        sessions: 1,
        openSessions: 0,
        prompts: 1,
        events: 4,
        waitingJobs: 1,
      });
    });

    it('stores a spool file once if it is ingested several times', () => {
      const once = file({ kind: 'prompt', text: 'continue', origin: 'person' });
      expect(take(once)).toEqual({ files: 1, stored: 1, doubled: 0 });
      expect(take(once, once)).toEqual({ files: 2, stored: 0, doubled: 2 });
      expect(store.countEverything().prompts).toBe(1);
    });

    it('stores a prompt that was typed twice as two prompts', () => {
      take(
        file({ kind: 'prompt', text: 'continue', origin: 'person' }),
        file({ kind: 'prompt', text: 'continue', origin: 'person' }),
      );
      expect(store.listSessionEvents(1).prompts.map(({ number, text }) => [number, text])).toEqual([
        [1, 'continue'],
        [2, 'continue'],
      ]);
    });

    it('stores an event once if two installations report it at the same time', () => {
      take(
        file({ kind: 'prompt', text: 'continue', origin: 'person' }, { via: 'settings' }),
        file({ kind: 'prompt', text: 'continue', origin: 'person' }, { via: 'plugin' }),
        file({ kind: 'turn-end', text: 'done', continued: false }, { via: 'plugin' }),
        file({ kind: 'turn-end', text: 'done', continued: false }, { via: 'settings' }),
        file({ kind: 'prompt', text: 'continue', origin: 'person' }, { via: 'settings' }),
        file({ kind: 'prompt', text: 'continue', origin: 'person' }, { via: 'plugin' }),
      );
      expect(store.countEverything()).toMatchObject({ prompts: 2, events: 1 });
    });

    it('stores a call once by its id, and prefers the report of the call to one in a batch', () => {
      take(file(ended(call('c1', 'Bash'), { reportedBy: 'batch', outcome: 'refused', response: 'short' })));
      take(file(ended(call('c1', 'Bash'), { response: 'in full', durationMs: 7 })));
      take(file(ended(call('c1', 'Bash'), { reportedBy: 'batch', response: 'short' })));
      take(file(ended(call('c1', 'Bash'), { response: 'again' })));
      expect(
        events().map(({ callId, outcome, response, durationMs }) => [callId, outcome, response, durationMs]),
      ).toEqual([['c1', 'success', 'in full', 7]]);
    });

    it('keeps the start and the end of the same call', () => {
      take(file({ kind: 'tool-start', call: call('c1', 'Read') }), file(ended(call('c1', 'Read'))));
      expect(events().map(({ kind }) => kind)).toEqual(['tool-start', 'tool-end']);
    });

    it('assigns events that arrive before their session start and their prompt', () => {
      take(file({ ...ended(call('c1', 'Bash')), promptId: 'p1' }));
      take(file({ kind: 'session-start', source: 'startup' }, { at: 900 }));
      take(file({ kind: 'prompt', text: 'late', origin: 'person', promptId: 'p1' }, { at: 950 }));
      expect(events().map(({ kind, prompt }) => [kind, prompt])).toEqual([
        ['session-start', null],
        ['tool-end', 1],
      ]);
      expect(store.listRecentSessions({ limit: 1 })[0]).toMatchObject({
        firstSeen: 900,
        startSource: 'startup',
      });
    });

    it('keeps one row for a session that is ended, resumed and ended again', () => {
      take(
        file({ kind: 'session-start', source: 'startup' }),
        file({ kind: 'session-end', reason: 'other' }),
        file({ kind: 'session-start', source: 'resume' }),
      );
      expect(store.countEverything()).toMatchObject({ sessions: 1, openSessions: 1 });
      take(file({ kind: 'session-end', reason: 'clear' }), file({ kind: 'session-end', reason: 'clear' }));
      expect(store.listRecentSessions({ limit: 2 })).toMatchObject([
        { startSource: 'startup', endReason: 'clear' },
      ]);
    });

    it('stores one end if a client reports the same end several times', () => {
      const end = () => file({ kind: 'session-end', reason: 'exit' });
      take(file({ kind: 'session-start', source: 'startup' }), end(), end(), end());
      expect(store.listSessionEvents(1).events.map(({ kind }) => kind)).toEqual([
        'session-start',
        'session-end',
      ]);
    });

    it('assigns a prompt that only the transcript has to the turn of the events after it', () => {
      take(
        file(ended(call('c1', 'Bash')), { at: 1_010 }),
        file({ kind: 'turn-end', text: 'done', continued: false }, { at: 1_020 }),
        file(
          { kind: 'prompt', text: 'count', origin: 'person', promptId: 'p1' },
          { at: 1_005, via: 'transcript' },
        ),
      );
      const { prompts, events } = store.listSessionEvents(1);
      expect(prompts.map(({ number, text }) => [number, text])).toEqual([[1, 'count']]);
      expect(events.map(({ kind, prompt }) => [kind, prompt])).toEqual([
        ['tool-end', 1],
        ['turn-end', 1],
      ]);
    });

    it('accepts the end of an unknown session', () => {
      take(file({ kind: 'session-end', reason: 'other' }));
      expect(store.countEverything()).toMatchObject({ sessions: 1, openSessions: 0 });
    });

    it('stores only the number of a private turn, even if events arrive before the prompt', () => {
      take(file({ ...ended(call('c0', 'Bash', '/early')), promptId: 'p1' }));
      take(
        file({ kind: 'prompt', text: '[private]', origin: 'person', promptId: 'p1' }, { isPrivate: true }),
      );
      take(
        file({ ...ended(call('c1', 'Bash')), promptId: 'p1' }),
        file({ kind: 'turn-end', text: 'the secret plan', continued: false }),
        file({ kind: 'prompt', text: 'open again', origin: 'person', promptId: 'p2' }),
        file({ ...ended(call('c2', 'Bash')), promptId: 'p2' }),
        file({ kind: 'session-end', reason: 'other' }),
      );
      const { prompts, events } = store.listSessionEvents(1);
      expect(prompts.map(({ number, text, isPrivate }) => [number, text, isPrivate])).toEqual([
        [1, '', true],
        [2, 'open again', false],
      ]);
      expect(events.map(({ kind, callId }) => [kind, callId])).toEqual([
        ['tool-end', 'c2'],
        ['session-end', null],
      ]);
    });

    it('groups events into turns and creates a job for each closed turn', () => {
      take(
        file({ kind: 'prompt', text: 'one', origin: 'person', promptId: 'p1' }),
        file({ ...ended(call('c1', 'Bash')), promptId: 'p1' }),
        file({ kind: 'prompt', text: '<task-notification>', origin: 'machine', promptId: 'm1' }),
        file({ ...ended(call('c2', 'Bash')), promptId: 'm1' }),
      );
      expect(store.countEverything()).toMatchObject({ turns: 1, openTurns: 1, waitingJobs: 0 });
      take(file({ kind: 'turn-end', text: 'done', continued: false, promptId: 'm1' }));
      expect(store.countEverything()).toMatchObject({ turns: 1, openTurns: 0, waitingJobs: 1 });
      // A stop hook made the agent continue: the same turn is open again.
      take(file({ ...ended(call('c3', 'Bash')), promptId: 'm1' }));
      expect(store.countEverything()).toMatchObject({ turns: 1, openTurns: 1 });
      take(file({ kind: 'turn-end', text: 'really done', continued: true, promptId: 'm1' }));
      take(file({ kind: 'prompt', text: 'two', origin: 'person', promptId: 'p2' }));
      take(file({ kind: 'compact-end', trigger: 'auto', summary: 'so far', promptId: 'p2' }));
      take(file({ ...ended(call('c4', 'Bash')), promptId: 'p2' }));
      expect(store.countEverything()).toMatchObject({ turns: 3, openTurns: 1, waitingJobs: 2 });
      take(file({ kind: 'session-end', reason: 'other' }));
      expect(store.countEverything()).toMatchObject({ turns: 3, openTurns: 0, waitingJobs: 3 });
    });

    it('distinguishes projects by place and recognises a second clone by its remote', () => {
      const remote = 'example.com/team/app';
      take(
        file(
          { kind: 'session-end', reason: 'x' },
          { session: 'a', place: { path: '/x/app/.git', name: 'app' } },
        ),
        file(
          { kind: 'session-end', reason: 'x' },
          { session: 'b', place: { path: '/y/app/.git', name: 'app' } },
        ),
      );
      expect(store.listProjects()).toHaveLength(2);
      // A project that gets a remote stays the same, and a clone elsewhere belongs to it.
      take(
        file(
          { kind: 'session-end', reason: 'x' },
          { session: 'c', place: { path: '/x/app/.git', name: 'app', remote } },
        ),
        file(
          { kind: 'session-end', reason: 'x' },
          { session: 'd', place: { path: '/z/app/.git', name: 'app', remote } },
        ),
      );
      const [first, second] = store.listProjects().sort((a, b) => a.id - b.id);
      expect(first).toMatchObject({ sessions: 3, places: ['/x/app/.git', '/z/app/.git'], remote });
      expect(second).toMatchObject({ sessions: 1, places: ['/y/app/.git'] });
      // Another repository in the same folder is a new project.
      take(
        file(
          { kind: 'session-end', reason: 'x' },
          { session: 'e', place: { path: '/x/app/.git', name: 'app', remote: 'example.com/other' } },
        ),
      );
      expect(store.listProjects()).toHaveLength(3);
    });

    it('merges projects in a chain, splits them again, and renames them', () => {
      for (const session of ['a', 'b', 'c'])
        take(
          file(
            { kind: 'session-end', reason: 'x' },
            { session, place: { path: `/${session}`, name: session } },
          ),
        );
      store.mergeProjects(1, 2);
      store.mergeProjects(2, 3);
      expect(store.listProjects()).toMatchObject([{ id: 3, sessions: 3 }]);
      expect(store.findProject({ path: '/a', name: 'a' })).toMatchObject({ id: 3 });
      expect(store.listRecentSessions({ projectId: 3, limit: 9 })).toHaveLength(3);
      expect(() => store.mergeProjects(3, 1)).toThrow('one project already');
      store.splitProject(2);
      expect(
        store
          .listProjects()
          .map(({ id, sessions }) => [id, sessions])
          .sort(),
      ).toEqual([
        [2, 2],
        [3, 1],
      ]);
      store.renameProject(3, 'better');
      expect(store.findProject({ path: '/c', name: 'c' })).toMatchObject({ name: 'better' });
      store.renameProject(3, null);
      expect(store.findProject({ path: '/c', name: 'c' })).toMatchObject({ name: 'c' });
    });

    it('lists only sessions with a prompt of a person, if asked to', () => {
      take(file({ kind: 'prompt', text: 'fix it', origin: 'person' }, { session: 'asked' }));
      take(file({ kind: 'prompt', text: 'a task ended', origin: 'machine' }, { session: 'machine' }));
      take(
        file(
          { kind: 'prompt', text: '[private]', origin: 'person' },
          { session: 'private', isPrivate: true },
        ),
      );
      take(file({ kind: 'session-start', source: 'startup' }, { session: 'silent' }));
      const recent = (query: { withPrompt?: boolean; except?: string; projectId?: number }) =>
        store.listRecentSessions({ limit: 2, ...query }).map(({ agentSession }) => agentSession);
      expect(recent({})).toEqual(['silent', 'private']);
      expect(recent({ except: 'silent' })).toEqual(['private', 'machine']);
      expect(recent({ withPrompt: true })).toEqual(['asked']);
      expect(recent({ withPrompt: true, projectId: 1 })).toEqual(['asked']);
      expect(recent({ withPrompt: true, projectId: 2 })).toEqual([]);
    });

    it('finds a session by its number or a prefix of its id', () => {
      take(file({ kind: 'session-end', reason: 'x' }, { session: 'abc-1' }));
      take(file({ kind: 'session-end', reason: 'x' }, { session: 'abd-2' }));
      expect(store.findSessions('2').map(({ agentSession }) => agentSession)).toEqual(['abd-2']);
      expect(store.findSessions('abc').map(({ id }) => id)).toEqual([1]);
      expect(store.findSessions('ab')).toHaveLength(2);
      expect(store.findSessions('x')).toEqual([]);
    });

    it('counts events of each hook with the last time', () => {
      take(
        file({ kind: 'session-end', reason: 'x' }, { at: 5 }),
        file({ kind: 'session-end', reason: 'x' }, { at: 3 }),
      );
      expect(store.listHookActivity()).toEqual([
        { agent: 'claude-code', hook: 'Hook', via: 'settings', lastAt: 5, count: 2 },
      ]);
    });

    function take(...files: SpoolIntake[]) {
      return store.ingest(files, 5_000);
    }
  });
}

let serial = 0;

type Bare<T> = T extends AgentEvent ? Omit<T, 'sessionId'> : never;

interface FileOptions {
  session?: string;
  via?: string;
  at?: number;
  place?: Place;
  isPrivate?: boolean;
}

function file(bare: Bare<AgentEvent>, options: FileOptions = {}): SpoolIntake {
  serial++;
  const {
    session = 's1',
    via = 'settings',
    at = 1000 + serial,
    place = { path: '/repo/.git', name: 'repo', branch: 'main' },
    isPrivate = false,
  } = options;
  const event = { ...bare, sessionId: session } as AgentEvent;
  const name = `${session}.${serial}`;
  const captured: CapturedEvent = {
    agent: 'claude-code',
    event,
    priority: 'normal',
    at,
    via,
    spoolName: name,
    ...(isPrivate && { isPrivate }),
  };
  return { name, agent: 'claude-code', hook: 'Hook', via, at, place, events: [captured] };
}

function call(id: string, name: string, written?: string): ToolCall {
  return { id, name, does: 'other', input: {}, files: written ? [{ path: written, how: 'write' }] : [] };
}

type ToolEnd = Extract<AgentEvent, { kind: 'tool-end' }>;

function ended(call: ToolCall, more: Partial<ToolEnd> = {}): Omit<ToolEnd, 'sessionId'> {
  return { kind: 'tool-end', call, outcome: 'success', response: 'ok', reportedBy: 'call', ...more };
}
