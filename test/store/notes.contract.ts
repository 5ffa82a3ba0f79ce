import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Summary } from '../../src/model/memory.ts';
import type { Place } from '../../src/model/project.ts';
import type { PlainStore } from '../support/plain-store.ts';

const ORCHARD: Place = { path: '/orchard/.git', name: 'orchard' };
const WORKTREE: Place = { ...ORCHARD, worktree: '/orchard-feature' };
const MEADOW: Place = { path: '/meadow/.git', name: 'meadow' };

/** A distilled turn. */
interface DistilledTurn {
  session?: string;
  at: number;
  place: Place;
  folder?: string;
  observations: { title: string; filesModified: string[] }[];
  summary?: Partial<Summary>;
}

/** Memories of a folder, and the folders that have a note. */
export function notesContract(
  name: string,
  open: () => PlainStore,
  rememberTurn: (store: PlainStore, turn: DistilledTurn) => void,
): void {
  describe(`${name} folder notes`, () => {
    let store: PlainStore;
    let orchard: number;
    beforeEach(() => {
      store = open();
      learn(100, ORCHARD, '/orchard/src', [
        ['one', ['src/a.ts', 'src/b.ts', '/etc/hosts']],
        ['two', ['src/deep/a.ts', 'src0/a.ts', 'src.ts']],
      ]);
      learn(200, WORKTREE, '/orchard-feature', [['three', ['src/a.ts']]]);
      learn(300, MEADOW, '/meadow', [['four', ['src/a.ts']]]);
      orchard = projectOf(ORCHARD);
    });
    afterEach(() => store.close());

    it('lists each file of the project once', () => {
      expect(store.listProjectFiles(orchard)).toEqual([
        'src.ts',
        'src/a.ts',
        'src/b.ts',
        'src/deep/a.ts',
        'src0/a.ts',
      ]);
    });

    it('lists memories about files directly in a folder, latest first', () => {
      const one = { id: 1, type: 'decision', title: 'one', at: 100, agent: 'claude-code' };
      const three = { id: 3, type: 'decision', title: 'three', at: 200, agent: 'claude-code' };
      const ask = (more: object = {}) =>
        store.listFolderEntries({ projectId: orchard, folder: 'src', limit: 9, ...more });
      expect(ask()).toEqual([three, one]);
      expect(ask({ limit: 1 })).toEqual([three]);
      expect(ask({ except: [3] })).toEqual([one]);
      expect(ask({ folder: 'src/deep' }).map(({ id }) => id)).toEqual([2]);
      expect(ask({ folder: 'sr' })).toEqual([]);
    });

    it('includes memories of merged projects', () => {
      store.mergeProjects(projectOf(MEADOW), orchard);
      const entries = store.listFolderEntries({ projectId: orchard, folder: 'src', limit: 9 });
      expect(entries.map(({ title }) => title)).toEqual(['four', 'three', 'one']);
    });

    it('includes notes by hand, but neither summaries nor superseded memories', () => {
      rememberTurn(store, {
        at: 400,
        place: ORCHARD,
        summary: { request: 'do it', filesModified: ['lib/a.ts'] },
        observations: [Object.assign(observation('five', ['lib/b.ts']), { supersedes: 1 })],
      });
      const note = { type: null, narrative: '', aliases: [], pins: [], saidBy: 'person', isPinned: false };
      store.addNote({ ...note, title: 'six', files: ['src/a.ts'], scope: 'project', place: ORCHARD }, 500);
      const titles = (folder: string) =>
        store
          .listFolderEntries({ projectId: orchard, folder, limit: 9 })
          .map(({ type, title }) => [type, title]);
      expect(titles('src')).toEqual([
        ['note', 'six'],
        ['decision', 'three'],
      ]);
      expect(titles('lib')).toEqual([['decision', 'five']]);
      expect(store.listProjectFiles(orchard)).not.toContain('lib/a.ts');
      expect(store.filterCurrentMemories([1, 2, 3, 99])).toEqual([2, 3]);
    });

    it('lists the folders of recently distilled turns', () => {
      expect(store.listDistilledPlaces(200)).toEqual([
        { folder: '/meadow', projectId: projectOf(MEADOW), files: ['src/a.ts'] },
        { folder: '/orchard-feature', projectId: orchard, files: ['src/a.ts'] },
      ]);
      expect(store.listDistilledPlaces(0).map(({ folder }) => folder)).toContain('/orchard/src');
      learn(400, ORCHARD, '/orchard', []);
      expect(store.listDistilledPlaces(400)).toEqual([{ folder: '/orchard', projectId: orchard, files: [] }]);
    });

    it('keeps the list of folders with a note', () => {
      const src = { folder: '/orchard/src', top: '/orchard', projectId: orchard };
      const feature = { folder: '/orchard-feature/src', top: '/orchard-feature', projectId: orchard };
      const meadow = { folder: '/meadow/src', top: '/meadow', projectId: projectOf(MEADOW) };
      for (const noted of [src, src, feature, meadow]) store.addNotedFolder(noted);
      expect(store.listNotedFolders()).toEqual([meadow, feature, src]);
      expect(store.listNotedFolders({ projectId: orchard })).toEqual([feature, src]);
      expect(store.listNotedFolders({ top: '/meadow' })).toEqual([meadow]);
      store.removeNotedFolder(src.folder);
      store.removeNotedFolder('/nowhere');
      expect(store.listNotedFolders({ projectId: orchard })).toEqual([feature]);
    });

    function learn(
      at: number,
      place: Place,
      folder: string,
      entries: [title: string, files: string[]][],
    ): void {
      const observations = entries.map(([title, files]) => observation(title, files));
      rememberTurn(store, { session: `${folder} ${at}`, at, place, folder, observations });
    }

    function projectOf(place: Place): number {
      return store.findProject(place)?.id ?? 0;
    }
  });
}

function observation(title: string, filesModified: string[]) {
  return { title, filesModified };
}
