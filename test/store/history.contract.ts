import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Place } from '../../src/model/project.ts';
import type { Moment } from '../../src/store/types/history.ts';
import type { PlainStore } from '../support/plain-store.ts';

const ORCHARD: Place = { path: '/orchard/.git', name: 'orchard', branch: 'main' };
const MEADOW: Place = { path: '/meadow/.git', name: 'meadow', branch: 'dev' };

/** The timeline, and the history of a file. */
export function historyContract(name: string, open: () => PlainStore): void {
  describe(`${name} history`, () => {
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

    it('lists moments around a memory in order of time, with global memories', () => {
      const around: Moment = { what: 'memory', id: 2, at: 200 };
      expect(story({ projectId: orchard, around, before: 2, after: 9 })).toEqual([
        'memory 1',
        'prompt 2',
        'memory 2',
        'prompt 4',
        'memory 4',
      ]);
    });

    it('lists memories of the same time after their prompt', () => {
      const around: Moment = { what: 'prompt', id: 2, at: 200 };
      expect(story({ projectId: orchard, around, before: 1, after: 1 })).toEqual([
        'memory 1',
        'prompt 2',
        'memory 2',
      ]);
    });

    it('lists moments at a given time after that time', () => {
      const around = { at: 200 };
      expect(story({ projectId: orchard, around, before: 1, after: 1 })).toEqual(['memory 1', 'prompt 2']);
    });

    it('lists moments of every project or of one session', () => {
      const all = { around: { at: 0 }, before: 0, after: 99 };
      expect(story({ projectId: null, ...all })).toHaveLength(8);
      expect(story({ projectId: null, sessionId: 1, ...all })).toEqual(['prompt 1', 'prompt 2', 'prompt 4']);
    });

    it('omits private prompts and prompts not typed by a person', () => {
      prompt('secret', 400, ORCHARD, 'o', { isPrivate: true });
      prompt('<task-notification>', 410, ORCHARD, 'o', { origin: 'machine' });
      expect(story({ projectId: orchard, around: { at: 399 }, before: 0, after: 9 })).toEqual([]);
    });

    it('returns prompts by number', () => {
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
      { name: 'a prefix of a name, which is not a folder', query: { path: 'src/a' }, found: [] },
      { name: 'a file name anywhere', query: { path: 'b.ts', anywhere: true }, found: [1] },
      { name: 'a path suffix', query: { path: 'deep/b.ts', anywhere: true }, found: [1] },
      {
        name: 'a suffix of a name, which is not a path suffix',
        query: { path: 'ts', anywhere: true },
        found: [],
      },
      { name: 'a file, with a limit', query: { path: 'src/a.ts', limit: 1 }, found: [2] },
    ])('lists the history of $name', ({ query, found }) => {
      const history = store.listFileHistory({ projectId: orchard, limit: 9, ...query });
      expect(history.map(({ id }) => id)).toEqual(found);
    });

    it('lists the history of a file in every project', () => {
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
      const stored = { ...captured, spoolName: spool, ...(isPrivate && { isPrivate }) };
      const head = { name: spool, agent: 'claude-code', hook: 'Hook', via: 'settings', at, place };
      store.ingest([{ ...head, events: [stored] }], at);
    }
  });
}
