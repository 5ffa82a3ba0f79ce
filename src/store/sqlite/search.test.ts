import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateIndex } from '../../indexing/update-index.ts';
import type { SearchFilter } from '../types/search.ts';
import { inTransaction, openDatabase } from './open.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** More documents than one query ranks. */
const MANY = 4_200;
const FILTER: SearchFilter = {
  ...{ projects: [1], kinds: ['observation', 'summary', 'note'], phrases: [], without: [], types: [] },
  ...{ branches: [], agents: [], files: [], since: null, before: null },
};

describe('search in more documents than are ranked', () => {
  let folder: string;
  let store: ReturnType<typeof openSqliteStore>;

  // Memories 1 to MANY belong to the large project, the next two to the small one, and the last one is global.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-search-'));
    const path = join(folder, 'cairn.db');
    const db = openDatabase(path);
    const add = db.prepare(`
      INSERT INTO memories (id, kind, title, subtitle, narrative, facts, concepts, tokens, project_id, scope,
        distiller, at, changed_at)
      VALUES (?, 'observation', ?, '', ?, '[]', '[]', 1, ?, ?, 'offline', ?, 0)`);
    inTransaction(db, () => {
      db.exec("INSERT INTO projects (id, name, created_at) VALUES (1, 'large', 0), (2, 'small', 0)");
      add.run(1, 'invoice invoice', 'heron', 1, 'project', 1);
      for (let id = 2; id <= MANY; id++)
        add.run(id, 'invoice', `number ${id} of many more`, 1, 'project', id);
      add.run(MANY + 1, 'invoice', 'stork', 2, 'project', MANY + 1);
      add.run(MANY + 2, 'invoice', 'stork', 2, 'project', MANY + 2);
      add.run(MANY + 3, 'preference', 'stork', 2, 'global', MANY + 3);
    });
    db.close();
    store = openSqliteStore(path);
    updateIndex(store);
  }, 60_000);
  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each<[string, string, Partial<SearchFilter>, number[]]>([
    ['of a project', 'invoic', {}, [MANY, MANY - 1]],
    ['of every project', 'invoic', { projects: null }, [MANY + 2, MANY + 1]],
    ['including global memories', 'stork', {}, [MANY + 3]],
    ['of another kind', 'invoic', { kinds: ['note'] }, []],
  ])('lists the newest documents with a term: %s', (_name, term, filter, expected) => {
    const found = store.listNewestWithTerm(term, { ...FILTER, ...filter }, 2);
    expect(found.map((id) => id / 2)).toEqual(expected);
  });

  it.each<[string, string[], Partial<SearchFilter>, number[]]>([
    ['a rare word in an old memory', ['heron'], {}, [1]],
    ['a large project, without those of others', ['stork'], {}, [MANY + 3]],
    [
      'a small project, without those of others',
      ['stork'],
      { projects: [2] },
      [MANY + 1, MANY + 2, MANY + 3],
    ],
    ['every project', ['stork'], { projects: null }, [MANY + 1, MANY + 2, MANY + 3]],
    ['global memories only', ['stork'], { projects: [] }, [MANY + 3]],
    ['a common word before an early date', ['invoic'], { before: 3 }, [1, 2]],
    ['a common word with a phrase', ['invoic'], { phrases: ['heron'] }, [1]],
  ])('finds candidates: %s', (_name, any, filter, expected) => {
    const found = store.findSearchCandidates({ any, pairs: [] }, { ...FILTER, ...filter }, 10);
    expect(found.map((id) => id / 2).sort((a, b) => a - b)).toEqual(expected);
  });

  it('ranks only the newest documents for a common word', () => {
    const found = store.findSearchCandidates({ any: ['invoic'], pairs: [] }, FILTER, MANY);
    expect([found.length, Math.min(...found)]).toEqual([4_000, (MANY - 4_000 + 1) * 2]);
  });
});
