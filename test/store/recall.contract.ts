import { beforeEach, describe, expect, test } from 'vitest';
import { tokenise } from '../../src/indexing/tokenise.ts';
import type { RecallStore } from '../../src/recall/gather-candidates.ts';
import type { ListedMemory } from '../../src/recall/list-store.ts';
import { recall } from '../../src/recall/recall.ts';
import type { RecallRequest } from '../../src/recall/request.ts';
import type { StoredMemory } from '../../src/store/types/memory.ts';
import type { SearchFilter } from '../../src/store/types/search.ts';

export const PROJECTS = ['shop', 'blog'];
const DAY = 86_400_000;
export const NOW = new Date(2026, 5, 15, 12).getTime();

/** Project 1 is the shop, 2 the blog. Session 9 is of Codex, all others are of Claude Code. */
export function listMemory(id: number, rest: Partial<StoredMemory> & { symbols?: string[] }): ListedMemory {
  const { symbols = [], ...fields } = rest;
  const sessionId = fields.sessionId ?? null;
  const projectId = fields.projectId ?? 1;
  const memory: StoredMemory = {
    ...{ id, kind: 'observation', type: null, title: `memory ${id}`, subtitle: '', narrative: '' },
    ...{
      facts: [],
      concepts: [],
      aliases: [],
      parts: null,
      strength: 1,
      prompt: null,
      branch: null,
      commit: null,
    },
    ...{ distiller: 'offline', at: NOW - id * DAY, scope: 'project', saidBy: 'distiller', pinnedAt: null },
    ...{ editedAt: null, mergedAt: null, tokens: 10, supersededBy: null, turnId: null, sessionId },
    ...{
      project: PROJECTS[projectId - 1] ?? null,
      projectId,
      filesRead: [],
      filesModified: [],
      pins: [],
      origin: null,
      author: null,
    },
    ...fields,
  };
  return { memory, symbols, agent: sessionId === null ? null : sessionId === 9 ? 'codex' : 'claude-code' };
}

const FILTER: SearchFilter = {
  ...{ projects: [1], kinds: ['observation', 'summary', 'note'], phrases: [], without: [], types: [] },
  ...{ branches: [], agents: [], files: [], since: null, before: null },
};

const MEMORIES = [
  listMemory(1, {
    title: 'Invoices are rounded half up',
    type: 'decision',
    branch: 'main',
    filesModified: ['src/Billing/round.ts'],
  }),
  listMemory(2, {
    title: 'Invoice export',
    narrative: 'The export times out after a minute.',
    type: 'gotcha',
    sessionId: 1,
  }),
  listMemory(3, {
    title: 'Retries',
    facts: ['The invoice queue retries twice.'],
    sessionId: 1,
    branch: 'queue',
  }),
  listMemory(4, { title: 'Deploys', narrative: 'A deploy takes a minute.', kind: 'note', sessionId: 1 }),
  listMemory(5, { title: 'Invoice template of the blog', projectId: 2, filesRead: ['docs/invoice.md'] }),
  listMemory(6, {
    title: 'Prefers short invoices',
    projectId: 2,
    scope: 'global',
    kind: 'note',
    type: 'preference',
  }),
  listMemory(7, {
    title: 'Invoices are rounded down',
    supersededBy: 1,
    aliases: ['truncation'],
    symbols: ['roundInvoice'],
    filesRead: ['src/old.ts'],
  }),
  listMemory(8, {
    title: 'Stock levels',
    narrative: 'Counted at night.',
    sessionId: 9,
    pinnedAt: NOW,
    filesRead: ['src/stock.ts'],
  }),
];

/** The indexed form of a word. */
function term(word: string): string {
  return tokenise(word)[0] ?? '';
}

/** What recall reads from a store; every implementation must behave the same. */
export function recallContract(name: string, open: (memories: ListedMemory[]) => RecallStore): void {
  describe(`recall from ${name}`, () => {
    let store: RecallStore;
    beforeEach(() => {
      store = open(MEMORIES);
    });

    const find = (any: string[], rest: Partial<SearchFilter> = {}, pairs: [string, string][] = []) =>
      store
        .findSearchCandidates({ any, pairs }, { ...FILTER, ...rest }, 100)
        .map((id) => id / 2)
        .sort((one, other) => one - other);

    test.each<[string, string[], Partial<SearchFilter>, number[]]>([
      ['a word, in any field', ['invoic'], {}, [1, 2, 3, 6, 7]],
      ['in another project by its name, with global memories', ['invoic'], { projects: ['BLOG'] }, [5, 6]],
      ['in every project', ['invoic'], { projects: null }, [1, 2, 3, 5, 6, 7]],
      ['in no project, only global memories', ['invoic'], { projects: [] }, [6]],
      ['of a kind', ['invoic', 'minut'], { kinds: ['note'] }, [4, 6]],
      ['of a type', ['invoic'], { types: ['gotcha', 'preference'] }, [2, 6]],
      ['a phrase', ['invoic'], { phrases: ['invoic export'] }, [2]],
      ['without a word', ['minut'], { without: [term('deploy')] }, [2]],
      ['of a branch', ['invoic'], { branches: ['queue'] }, [3]],
      ['of an agent', ['count', 'invoic'], { agents: ['codex'] }, [8]],
      ['about a file', ['invoic'], { files: ['billing/round.ts'] }, [1]],
      ['about a folder', ['invoic'], { files: ['./src/'] }, [1, 7]],
      ['about files of a pattern', ['stock', 'invoic'], { files: ['*.ts'] }, [1, 7, 8]],
      ['since a time', ['invoic'], { since: NOW - 2 * DAY }, [1, 2]],
      ['before a time', ['invoic'], { before: NOW - 2 * DAY }, [3, 6, 7]],
      ['without superseded memories', ['invoic'], { withoutSuperseded: true }, [1, 2, 3, 6]],
      ['by an alias', ['truncat'], {}, [7]],
      ['by a name in its file', [term('roundInvoice')], {}, [7]],
      ['nothing without words', [], {}, []],
    ])('finds %s', (_name, any, rest, expected) => {
      expect(find(any, rest)).toEqual(expected);
    });

    test('finds two words together, up to a limit', () => {
      expect(find([], {}, [['invoic', 'minut']])).toEqual([2]);
      expect(store.findSearchCandidates({ any: ['invoic'], pairs: [] }, FILTER, 2)).toHaveLength(2);
    });

    test('counts documents and terms of a scope', () => {
      const { docs, averageWords, terms } = store.countTerms(FILTER, ['invoic', term('deploy'), 'heron']);
      expect({ docs, terms }).toEqual({ docs: 6, terms: [5, 1, 0] });
      expect(averageWords).toBeGreaterThan(1);
      expect(store.countTerms({ ...FILTER, projects: null }, ['invoic'])).toMatchObject({
        docs: 8,
        terms: [6],
      });
    });

    test('lists the newest matching documents', () => {
      const list = (rest: Partial<SearchFilter>, limit: number) =>
        store.listNewestDocs({ ...FILTER, ...rest }, limit).map((id) => id / 2);
      expect(list({}, 3)).toEqual([1, 2, 3]);
      expect(list({ kinds: ['note'] }, 3)).toEqual([4, 6]);
      expect(list({ types: ['decision'], projects: null }, 3)).toEqual([1]);
      expect(list({ without: ['invoic'] }, 9)).toEqual([4, 8]);
      expect(list({ without: [term('deploy'), 'round'] }, 2)).toEqual([2, 3]);
      expect(list({ phrases: ['invoic export'] }, 9)).toEqual([2]);
      expect(list({ phrases: ['invoic'], without: ['export', 'round'] }, 9)).toEqual([3, 6]);
    });

    test('reads documents, with the neighbours of the first', () => {
      const [doc] = store.readSearchDocs([14], 0);
      expect(doc).toMatchObject({
        ...{
          id: 14,
          kind: 'observation',
          type: null,
          projectId: 1,
          sessionId: null,
          at: NOW - 7 * DAY,
          branch: null,
        },
        ...{ saidBy: 'distiller', isGlobal: 0, supersededBy: 1, pinnedAt: null, mergedAt: null, words: 4 },
        title: ' invoic be round down ',
        previous: null,
        next: null,
      });
      const around = store.readSearchDocs([6, 2], 1).sort((one, other) => one.id - other.id);
      expect(around.map(({ id, previous, next }) => [id / 2, previous, next])).toEqual([
        [1, null, null],
        [2, 6, null],
        [3, 8, 4],
        [4, null, 6],
      ]);
      expect(store.readSearchDocs([999], 1)).toEqual([]);
    });

    test('reads the source of a document', () => {
      expect(store.readSearchSource?.(14)).toEqual({
        ...{
          kind: 'observation',
          type: null,
          title: 'Invoices are rounded down',
          subtitle: '',
          narrative: '',
        },
        ...{
          facts: [],
          concepts: [],
          parts: null,
          aliases: ['truncation'],
          files: ['src/old.ts'],
          symbols: ['roundInvoice'],
        },
        ...{ branch: null, saidBy: 'distiller', request: '', siblings: [], isSuperseded: true },
      });
      expect(store.readSearchSource?.(999)).toBeNull();
    });

    test('ranks the replacement of a superseded answer first', () => {
      const request: RecallRequest = {
        ...{ text: 'how are invoices rounded?', projectId: 1, reach: 'project', limit: 5, now: NOW },
      };
      const ids = (rest: Partial<RecallRequest> = {}) =>
        recall(store, { ...request, ...rest }).map(({ id, isWeaker }) => [id, isWeaker]);
      expect(ids()[0]).toEqual([1, false]);
      expect(ids().map(([id]) => id)).not.toContain(7);
      expect(ids({ withSuperseded: true }).map(([id]) => id)).toContain(7);
    });
  });
}
