import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewMemory, PortableMemory } from '../../src/store/types/port.ts';
import type { PlainStore } from '../support/plain-store.ts';

/** Export of memories from one store, and import into another. */
export function portContract(name: string, open: () => PlainStore): void {
  describe(`${name} export and import`, () => {
    let store: PlainStore;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    it('exports imported memories unchanged, page by page', () => {
      const project = store.projectFor({ name: 'orchard', remote: 'git@host:orchard' }, { now: 1 });
      const all = [1, 2, 3].map((at) => memory({ key: `else:${at}`, at, projectId: project }));
      add(...all);
      const first = store.listPortableMemories({ after: 0, limit: 2, withSuperseded: false });
      const rest = store.listPortableMemories({ after: first.last ?? 0, limit: 2, withSuperseded: false });
      expect([...first.memories, ...rest.memories]).toEqual(
        all.map(({ projectId, ...each }) => ({
          ...each,
          project: { name: 'orchard', remote: 'git@host:orchard' },
          supersededBy: null,
        })),
      );
      expect([first.last, rest.last]).toEqual([2, 3]);
      expect(store.listPortableMemories({ after: 3, limit: 2, withSuperseded: false }).last).toBeNull();
    });

    it.each([
      ['all memories', {}, ['a', 'b', 'c']],
      ['memories that are not superseded', { withSuperseded: false }, ['b', 'c']],
      ['memories since a time', { since: 3 }, ['c']],
      ['memories of one project', { projectId: 1 }, ['a']],
    ])('exports %s', (_, query, keys) => {
      const [orchard, meadow] = ['orchard', 'meadow'].map((each) =>
        store.projectFor({ name: each }, { now: 1 }),
      );
      add(memory({ key: 'a', at: 1, projectId: orchard ?? null }), memory({ key: 'b', at: 2 }));
      add(memory({ key: 'c', at: 3, projectId: meadow ?? null }));
      store.replaceMemories([{ old: 1, by: 2 }]);
      const exportedMemories = store.listPortableMemories({
        after: 0,
        limit: 9,
        withSuperseded: true,
        ...query,
      }).memories;
      expect(exportedMemories.map(({ key }) => key)).toEqual(keys);
    });

    it('imports each key once', () => {
      expect(add(memory({ key: 'a' }), memory({ key: 'b' }))).toEqual([
        { outcome: 'added', id: 1 },
        { outcome: 'added', id: 2 },
      ]);
      expect(add(memory({ key: 'b', title: 'Edited' }))).toEqual([{ outcome: 'known', id: 2 }]);
    });

    it('recognises its own memories by key', () => {
      const note = { type: null, title: 'Own', narrative: '', aliases: [], files: [], pins: [] };
      store.addNote(
        { ...note, scope: 'global', saidBy: 'person', isPinned: false, place: { path: '/', name: 'x' } },
        7,
      );
      const [own] = exported();
      expect(own?.key).toMatch(/^cairn:1:/);
      expect(add(asNew(own))).toEqual([{ outcome: 'known', id: 1 }]);
      expect(add(memory({ key: 'cairn:1:of another' }))).toEqual([{ outcome: 'added', id: 2 }]);
    });

    it('recognises an equal memory of the same turn', () => {
      const session = { agent: 'claude-code', id: 'one' };
      add(memory({ key: 'a', session }));
      expect(add(memory({ key: 'b', session }))).toEqual([{ outcome: 'known', id: 1 }]);
      expect(add(memory({ key: 'c', session, narrative: 'More.' }))).toMatchObject([{ outcome: 'added' }]);
    });

    it('stores nothing in a dry run', () => {
      const added = store.addMemories([memory({ key: 'a' })], { now: 1, isDryRun: true });
      expect([added, exported()]).toEqual([[{ outcome: 'added', id: 1 }], []]);
    });

    it.each([
      ['rejects the same key', { key: 'a', title: 'Other words' }, 'forgotten'],
      ['rejects the same sentences', { key: 'b' }, 'forgotten'],
      [
        'accepts another text under another key',
        { key: 'b', title: 'Fences are of oak', narrative: '' },
        'added',
      ],
    ])('%s after a memory was forgotten', (_, fields, outcome) => {
      add(memory({ key: 'a' }));
      store.forget({ memories: [1], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, 2);
      expect(add(memory(fields))).toMatchObject([{ outcome }]);
    });

    it('does not import a forgotten memory whose title has only two words', () => {
      add(memory({ title: 'Use pnpm', narrative: '' }));
      store.forget({ memories: [1], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, 2);
      expect(add(memory({ key: 'b', title: 'Use pnpm', narrative: '' }))).toMatchObject([
        { outcome: 'forgotten' },
      ]);
    });

    it('cuts forgotten sentences out of imported memories', () => {
      add(memory({ key: 'a' }));
      store.forget({ memories: [1], prompts: [], sessions: [] }, { withSource: false, isDryRun: false }, 2);
      const { title, narrative } = memory({ key: 'a' });
      add(
        memory({
          key: 'b',
          title: 'Fences are of oak',
          narrative: `${narrative} Oak lasts.`,
          facts: [title],
        }),
      );
      expect(exported()).toMatchObject([{ title: 'Fences are of oak', narrative: 'Oak lasts.', facts: [] }]);
    });

    it('never lets two memories replace each other', () => {
      add(memory({ key: 'a' }), memory({ key: 'b' }));
      store.replaceMemories([
        { old: 1, by: 2 },
        { old: 2, by: 1 },
        { old: 2, by: 2 },
      ]);
      expect(exported().map(({ key, supersededBy }) => [key, supersededBy])).toEqual([
        ['a', 'b'],
        ['b', null],
      ]);
    });

    it('finds projects by remote, path and unambiguous name', () => {
      const make = (project: Parameters<PlainStore['projectFor']>[0], apartFrom: number[] = []) =>
        store.projectFor(project, { now: 1, apartFrom });
      const orchard = make({ name: 'orchard', remote: 'git@host:orchard' });
      const here = make({ name: 'notes', path: '/home/robin/notes' });
      expect([
        make({ name: 'renamed', remote: 'git@host:orchard' }),
        make({ name: 'orchard' }) === orchard,
        make({ name: 'notes', path: '/home/kim/notes' }),
        make({ name: 'notes', path: '/srv/notes' }, [here ?? 0]) === here,
        make({ name: 'renamed', path: '/home/kim/notes' }),
        store.projectFor({ name: 'meadow' }, {}),
      ]).toEqual([orchard, false, here, false, here, null]);
    });

    it('adds prompts to sessions that were not captured, once', () => {
      const prompt = { session: { agent: 'claude-code', id: 's' }, projectId: null, at: 1, from: 'else' };
      const prompts = [
        { ...prompt, number: 1, text: 'Plant the plum trees' },
        { ...prompt, number: 2, text: 'And water them' },
      ];
      const options = { now: 9, isDryRun: false };
      expect([store.addPastPrompts(prompts, options), store.addPastPrompts(prompts, options)]).toEqual([
        2, 0,
      ]);
      expect(store.addPastPrompts([{ ...prompt, from: 'third', number: 3, text: 'Go' }], options)).toBe(0);
      expect(store.countEverything()).toMatchObject({ prompts: 2, sessions: 1, openSessions: 0, turns: 0 });
    });

    function add(...memories: NewMemory[]) {
      return store.addMemories(memories, { now: 9, isDryRun: false });
    }

    function exported(): PortableMemory[] {
      return store.listPortableMemories({ after: 0, limit: 99, withSuperseded: true }).memories;
    }
  });
}

function asNew(portable: PortableMemory | undefined): NewMemory {
  if (!portable) throw new Error('There is none.');
  const { project, supersededBy, ...rest } = portable;
  return { ...rest, projectId: null };
}

function memory(fields: Partial<NewMemory>): NewMemory {
  return {
    key: 'a',
    kind: 'observation',
    type: 'decision',
    title: 'Plums are picked in August',
    subtitle: 'On the south side',
    narrative: 'In July they are hard, in September the wasps have them.',
    facts: ['The ladder is in the shed'],
    concepts: ['harvest'],
    aliases: ['Zwetschgen'],
    parts: null,
    scope: 'project',
    strength: 3,
    saidBy: 'distiller',
    distiller: 'offline',
    at: 5,
    pinnedAt: 6,
    editedAt: 7,
    mergedAt: 8,
    session: null,
    prompt: 2,
    branch: 'main',
    commit: 'abc',
    files: [
      { path: 'a.md', how: 'read', hash: null, symbols: [] },
      { path: 'b.md', how: 'write', hash: 'beef', symbols: ['plums'] },
    ],
    projectId: null,
    ...fields,
  };
}
