import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Place } from '../../src/model/project.ts';
import type { Moment } from '../../src/store/types/history.ts';
import type { PlainStore } from '../support/plain-store.ts';

const ORCHARD: Place = { path: '/orchard/.git', name: 'orchard', branch: 'main' };
const MEADOW: Place = { path: '/meadow/.git', name: 'meadow', branch: 'dev' };

/** What happened when, and what happened to a file. */
export function historyContract(name: string, open: () => PlainStore): void {
  describe(`${name} tells what happened`, () => {
    let store: PlainStore;
    let orchard: number;
    let meadow: number;
    beforeEach(() => {
      store = open();
      prompt('one', 100, ORCHARD, 'o');
      learn('first', 110, ['src/a.ts', 'src/deep/b.ts']);
      prompt('two', 200, ORCHARD, 'o');
      learn('second', 200, ['src/a.ts']);
      prompt('elsewhere', 250, MEADOW, 'm');
      learn('third', 250, ['src/a.ts'], MEADOW);
      prompt('three', 300, ORCHARD, 'o');
      learn('everywhere', 310, [], MEADOW, 'global');
      orchard = store.findProject(ORCHARD)?.id ?? 0;
      meadow = store.findProject(MEADOW)?.id ?? 0;
    });
    afterEach(() => store.close());

    it('around a memory, with what is global, in the order of time', () => {
      const around: Moment = { what: 'memory', id: 2, at: 200 };
      expect(story({ projectId: orchard, around, before: 2, after: 9 })).toEqual([
        'memory 1',
        'prompt 2',
        'memory 2',
        'prompt 4',
        'memory 4',
      ]);
    });

    it('around a prompt: what came of it in the same moment stands after it', () => {
      const around: Moment = { what: 'prompt', id: 2, at: 200 };
      expect(story({ projectId: orchard, around, before: 1, after: 1 })).toEqual([
        'memory 1',
        'prompt 2',
        'memory 2',
      ]);
    });

    it('around a time, which lies before what happened at it', () => {
      const around = { at: 200 };
      expect(story({ projectId: orchard, around, before: 1, after: 1 })).toEqual(['memory 1', 'prompt 2']);
    });

    it('of every project, or of one session', () => {
      const all = { around: { at: 0 }, before: 0, after: 99 };
      expect(story({ projectId: null, ...all })).toHaveLength(8);
      expect(story({ projectId: null, sessionId: 1, ...all })).toEqual(['prompt 1', 'prompt 2', 'prompt 4']);
    });

    it('without prompts that are private or that no person typed', () => {
      prompt('secret', 400, ORCHARD, 'o', { isPrivate: true });
      prompt('<task-notification>', 410, ORCHARD, 'o', { origin: 'machine' });
      expect(story({ projectId: orchard, around: { at: 399 }, before: 0, after: 9 })).toEqual([]);
    });

    it('prompts by their numbers', () => {
      expect(store.getPrompts([2, 99])).toEqual([
        {
          ...{ id: 2, number: 2, at: 200, text: 'two', origin: 'person', isPrivate: false },
          ...{ sessionId: 1, project: 'orchard', projectId: orchard, branch: 'main' },
        },
      ]);
    });

    it.each([
      { name: 'a file', query: { path: 'src/a.ts' }, found: [2, 1] },
      { name: 'a folder', query: { path: 'src' }, found: [2, 1] },
      { name: 'a deeper folder', query: { path: 'src/deep' }, found: [1] },
      { name: 'everything', query: { path: '' }, found: [2, 1] },
      { name: 'the beginning of a name is no folder', query: { path: 'src/a' }, found: [] },
      { name: 'only the name', query: { path: 'b.ts', anywhere: true }, found: [1] },
      { name: 'the end of a path', query: { path: 'deep/b.ts', anywhere: true }, found: [1] },
      { name: 'the end of a name is no name', query: { path: 'ts', anywhere: true }, found: [] },
      { name: 'no more than wanted', query: { path: 'src/a.ts', limit: 1 }, found: [2] },
    ])('the history of $name', ({ query, found }) => {
      const history = store.listFileHistory({ projectId: orchard, limit: 9, ...query });
      expect(history.map(({ id }) => id)).toEqual(found);
    });

    it('the history in every project', () => {
      const history = store.listFileHistory({ projectId: null, path: 'src/a.ts', limit: 9 });
      expect(history.map(({ id, projectId }) => [id, projectId])).toEqual([
        [3, meadow],
        [2, orchard],
        [1, orchard],
      ]);
    });

    function story(query: Parameters<PlainStore['listMoments']>[0]): string[] {
      return store.listMoments(query).map(({ what, id }) => `${what} ${id}`);
    }

    function learn(
      title: string,
      at: number,
      files: string[],
      place = ORCHARD,
      scope: 'project' | 'global' = 'project',
    ): void {
      const bare = { type: null, title, narrative: '', aliases: [], pins: [] };
      store.addNote({ ...bare, files, scope, saidBy: 'person', isPinned: false, place }, at);
    }

    function prompt(
      text: string,
      at: number,
      place: Place,
      sessionId: string,
      { origin = 'person', isPrivate = false }: { origin?: 'person' | 'machine'; isPrivate?: boolean } = {},
    ): void {
      const event: AgentEvent = { kind: 'prompt', text, origin, sessionId, promptId: text };
      const spool = `${sessionId}.${at}`;
      const captured = { agent: 'claude-code', event, priority: 'normal' as const, at, via: 'settings' };
      const told = { ...captured, spoolName: spool, ...(isPrivate && { isPrivate }) };
      const head = { name: spool, agent: 'claude-code', hook: 'Hook', via: 'settings', at, place };
      store.ingest([{ ...head, events: [told] }], at);
    }
  });
}
