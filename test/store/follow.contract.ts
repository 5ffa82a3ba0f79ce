import { beforeEach, describe, expect, it } from 'vitest';
import type { PlainStore } from '../support/plain-store.ts';
import { ended, type Orchard } from './continuity-set-up.ts';

/** Captured events that are not yet applied to work items. */
export function followContract(orchard: Orchard): void {
  const { take } = orchard;
  let store: PlainStore;
  let project: number;
  beforeEach(() => {
    store = orchard.store();
    project = orchard.project();
  });

  describe('events to follow', () => {
    it('are listed once, in order of time', () => {
      take('s1', { kind: 'session-start', source: 'startup', model: 'm' }, 100);
      take('s1', { kind: 'prompt', text: 'Prune', origin: 'person', permissionMode: 'plan' }, 200);
      take('s1', ended('Bash', 'c1'), 300);
      take('s1', { ...ended('TaskCreate', 'c2'), permissionMode: 'default' }, 400);
      take('s1', { ...ended('TaskCreate', 'c3'), subagent: { id: 'a', type: 'Explore' } }, 500);
      take('s1', { kind: 'prompt', text: '<note>', origin: 'machine' }, 600);
      take('s1', { kind: 'session-end', reason: 'clear' }, 700);
      const scene = {
        agent: 'claude-code',
        agentSession: 's1',
        projectId: project,
        branch: 'main',
        worktree: '/orchard',
        folder: '/orchard/src',
      };
      const event = {
        what: 'event',
        ...scene,
        permissionMode: null,
        isSubagent: false,
        text: '',
        origin: 'machine',
        tool: null,
        outcome: null,
        input: null,
        response: null,
        reason: null,
      };
      const prompt = { ...event, what: 'prompt', kind: 'prompt' };
      const call = { ...event, kind: 'tool-end', tool: 'TaskCreate', outcome: 'success' };
      const content = { input: { subject: 'x' }, response: { id: 1 } };
      const expected = [
        { ...event, promptId: 0, eventId: 1, at: 100, kind: 'session-start', reason: 'startup' },
        {
          ...prompt,
          promptId: 1,
          eventId: 1,
          at: 200,
          text: 'Prune',
          origin: 'person',
          permissionMode: 'plan',
        },
        { ...call, promptId: 1, eventId: 2, at: 300, tool: 'Bash' },
        { ...call, ...content, promptId: 1, eventId: 3, at: 400, permissionMode: 'default' },
        { ...call, ...content, promptId: 1, eventId: 4, at: 500, isSubagent: true },
        { ...prompt, promptId: 2, eventId: 4, at: 600, text: '<note>' },
        { ...event, promptId: 2, eventId: 5, at: 700, kind: 'session-end', reason: 'clear' },
      ];
      expect(unfollowed()).toEqual(expected);
      for (const limit of [1, 2, 3]) {
        const some = unfollowed(limit);
        expect(some).toEqual(expected.splice(0, limit));
        const last = some.at(-1);
        if (last) store.markFollowed(last);
      }
      expect(unfollowed()).toEqual(expected);
    });

    it('are not listed again if an earlier one is marked afterwards', () => {
      for (const at of [100, 200]) take('s1', { kind: 'prompt', text: 'go', origin: 'person' }, at);
      const [first, second] = unfollowed();
      if (second) store.markFollowed(second);
      if (first) store.markFollowed(first);
      expect(unfollowed()).toEqual([]);
    });

    it('have no private text, and continue after removed events', () => {
      take('s1', { ...ended('TaskCreate', 'c1'), promptId: 'p1' }, 100);
      for (const followed of unfollowed()) store.markFollowed(followed);
      take('s1', { kind: 'prompt', text: '[private]', origin: 'person', promptId: 'p1' }, 200, true);
      take('s1', { kind: 'prompt', text: 'go', origin: 'person', promptId: 'p2' }, 300);
      take('s1', { ...ended('TaskCreate', 'c2'), promptId: 'p2' }, 400);
      expect(unfollowed().map(({ kind, text, at }) => [kind, text, at])).toEqual([
        ['prompt', '', 200],
        ['prompt', 'go', 300],
        ['tool-end', '', 400],
      ]);
    });

    it('are past if only a transcript or an import reported the session', () => {
      const typed = { kind: 'prompt', text: 'go', origin: 'person' } as const;
      take('past', typed, 100, false, 'transcript');
      take('past', ended('TaskCreate', 'c1'), 200, false, 'transcript');
      const session = { agent: 'claude-code', id: 'imported' };
      const pastPrompt = { session, number: 1, text: 'go', at: 300, from: 'elsewhere', projectId: project };
      store.addPastPrompts([pastPrompt], { now: 300, isDryRun: false });
      take('hooked', typed, 400);
      take('hooked', ended('TaskCreate', 'c2'), 500, false, 'transcript');
      expect(unfollowed().map(({ what, kind, text, tool }) => [what, kind, text, tool])).toEqual([
        ['event', 'past', '', null],
        ['event', 'past', '', null],
        ['event', 'past', '', null],
        ['prompt', 'prompt', 'go', null],
        ['event', 'tool-end', '', 'TaskCreate'],
      ]);
    });
  });

  it('stores how full the context window of each session is', () => {
    const fill = { tokens: 1_000, window: 200_000, model: 'm', warnedAt: 100, at: 100 };
    expect(store.getWindowUsage('s1')).toBeNull();
    store.saveContextFill('s1', fill);
    store.saveContextFill('s2', { ...fill, model: null });
    const fuller = { ...fill, tokens: 150_000, window: 180_000, model: 'n', warnedAt: 20, at: 200 };
    store.saveContextFill('s1', fuller);
    expect(store.getWindowUsage('s1')).toEqual(fuller);
    expect(store.getWindowUsage('s2')).toEqual({ ...fill, model: null });
  });

  it('lists sessions with an open turn and a transcript as active', () => {
    const prompt = { kind: 'prompt', text: 'go', origin: 'person' } as const;
    for (const session of ['open', 'closed', 'ended'])
      take(session, { ...prompt, transcriptPath: `/${session}` }, 100);
    take('untold', prompt, 100);
    take('open', { kind: 'session-start', source: 'resume', model: 'm' }, 150);
    take('closed', { kind: 'turn-end', text: 'done', continued: false }, 200);
    take('ended', { kind: 'session-end', reason: 'clear' }, 200);
    expect(store.listActiveSessions()).toEqual([
      { agent: 'claude-code', agentSession: 'open', transcript: '/open', folder: '/orchard' },
    ]);
  });

  function unfollowed(limit = 99) {
    return store.listEventsToFollow({ tools: ['TaskCreate'], limit });
  }
}
