import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, inTransaction, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { SearchFilter } from '../store/types/search.ts';
import { rebuildIndex, updateIndex } from './update-index.ts';

const EVERYTHING: SearchFilter = {
  ...{
    projects: null,
    kinds: ['observation', 'summary', 'note', 'prompt'],
    phrases: [],
    without: [],
    types: [],
  },
  ...{ branches: [], agents: [], files: [], since: null, before: null },
};

describe('the search index', () => {
  let folder: string;
  let db: Database;
  let store: Store;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-index-'));
    db = openDatabase(join(folder, 'cairn.db'));
    store = openSqliteStore(join(folder, 'cairn.db'));
    db.exec(`
      INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0);
      INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen)
        VALUES (1, 'claude-code', 'one', 1, 0, 0);`);
  });
  afterEach(() => {
    store.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('indexes new, changed and deleted memories written by another connection', () => {
    remember(1, 'pnpm instead of npm');
    remember(2, 'tabs instead of spaces');
    expect(store.countPendingDocs()).toBe(2);
    expect(updateIndex(store)).toBe(2);
    expect(find('pnpm')).toEqual([2]);

    db.exec("UPDATE memories SET title = 'yarn instead of npm' WHERE id = 1");
    expect(updateIndex(store)).toBe(1);
    expect([find('pnpm'), find('yarn')]).toEqual([[], [2]]);

    db.exec('DELETE FROM memories WHERE id = 1');
    expect([find('yarn'), store.countPendingDocs()]).toEqual([[], 0]);
  });

  it('updates supersession and pin of a memory without indexing it again', () => {
    remember(1, 'pnpm');
    remember(2, 'yarn');
    updateIndex(store);
    db.exec('UPDATE memories SET superseded_by = 2, pinned_at = 7 WHERE id = 1');
    expect(store.countPendingDocs()).toBe(0);
    expect(store.readSearchDocs([2], 0)).toMatchObject([{ id: 2, supersededBy: 2, pinnedAt: 7 }]);
  });

  it('indexes a memory again when its files change', () => {
    remember(1, 'pnpm');
    updateIndex(store);
    db.exec("INSERT INTO memory_files (memory_id, path, how) VALUES (1, 'src/lock.ts', 'write')");
    updateIndex(store);
    expect(find('src/lock.ts')).toEqual([2]);
  });

  it('indexes prompts of people, but not those of machines or private ones', () => {
    ask(1, 'person', 0, 'make invoices green');
    ask(2, 'machine', 0, 'invoices task done');
    ask(3, 'person', 1, '');
    updateIndex(store);
    expect(find('invoic')).toEqual([3]);
    db.exec("UPDATE prompts SET is_private = 1, text = '' WHERE id = 1");
    updateIndex(store);
    expect(find('invoic')).toEqual([]);
  });

  it('indexes the newest first, stops when the time is up and continues with the next call', () => {
    for (let id = 1; id <= 5; id++) remember(id, `word${id}`);
    let clock = 0;
    expect(updateIndex(store, { until: 3, now: () => clock++ })).toBe(2);
    expect(store.countPendingDocs()).toBe(3);
    expect([find('word3'), find('word4'), find('word5')]).toEqual([[], [8], [10]]);
    expect(updateIndex(store, { until: 0, now: () => 1 })).toBe(0);
    expect(updateIndex(store)).toBe(3);
  });

  it('contains only existing memories after a rebuild', () => {
    remember(1, 'pnpm');
    updateIndex(store);
    db.exec('DROP TRIGGER search_memory_out; DELETE FROM memories WHERE id = 1');
    remember(2, 'yarn');
    expect(find('pnpm')).toEqual([2]);
    expect(rebuildIndex(store)).toBe(1);
    expect([find('pnpm'), find('yarn')]).toEqual([[], [4]]);
    expect(store.countTerms(EVERYTHING, ['yarn'])).toEqual({ docs: 1, averageWords: 1, terms: [1] });
  });

  it('counts a word in a limited number of documents, and estimates the rest', () => {
    for (let id = 1; id <= 40; id++) remember(id, id % 2 === 0 ? 'pnpm' : 'yarn');
    updateIndex(store);
    const counted = (most?: number) => store.countTerms(EVERYTHING, ['pnpm', 'npm'], most).terms;
    expect(counted()).toEqual([20, 0]);
    // The fifth match has the document id 20 of 80, so the estimate is 5 × 80 / 20.
    expect(counted(5)).toEqual([20, 0]);
    db.exec('DELETE FROM memories WHERE id > 10 AND id < 40');
    expect([counted(), counted(5)]).toEqual([
      [6, 0],
      [20, 0],
    ]);
  });

  it('follows deletions during a rebuild', () => {
    for (let id = 1; id <= 3; id++) remember(id, `word${id}`);
    updateIndex(store);
    store.reindexEverything();
    expect([find('word1'), store.countPendingDocs()]).toEqual([[], 3]);
    db.exec('DELETE FROM memories WHERE id = 1');
    expect(updateIndex(store)).toBe(2);
    expect([find('word1'), find('word2'), find('word3')]).toEqual([[], [4], [6]]);
    db.exec('DELETE FROM memories WHERE id = 2');
    expect(find('word2')).toEqual([]);
    expect(store.countTerms(EVERYTHING, ['word3'])).toEqual({ docs: 1, averageWords: 1, terms: [1] });
    // Fails if the full text index differs from the documents.
    db.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
  });

  it('indexes more than fits into one transaction', () => {
    inTransaction(db, () => {
      for (let id = 1; id <= 1_203; id++) remember(id, `word${id}`);
    });
    expect(updateIndex(store)).toBe(1_203);
    expect([find('word1'), find('word1203'), store.countPendingDocs()]).toEqual([[2], [2_406], 0]);
    db.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
  });

  it('leaves nothing of a forgotten word in the file', () => {
    for (let id = 1; id <= 50; id++) remember(id, `common words of memory ${id}`);
    remember(51, 'the zanzibarish password');
    updateIndex(store);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(bytes()).toContain('zanzibarish');
    db.exec('DELETE FROM memories WHERE id = 51');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(bytes()).not.toContain('zanzibarish');
  });

  function remember(id: number, title: string): void {
    db.prepare(`
      INSERT INTO memories (id, kind, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id,
        distiller, at, changed_at)
      VALUES (?, 'note', ?, '', '', '[]', '[]', 1, 1, 1, 'person', ?, 0)`).run(id, title, id);
  }

  function ask(id: number, origin: string, isPrivate: number, text: string): void {
    db.prepare(`
      INSERT INTO prompts (id, session_id, number, origin, is_private, text, at, via, digest, spool_name)
      VALUES (?, 1, ?, ?, ?, ?, 0, '', '', '')`).run(id, id, origin, isPrivate, text);
  }

  function find(term: string): number[] {
    return store.findSearchCandidates({ any: [term], pairs: [] }, EVERYTHING, 10);
  }

  function bytes(): string {
    return ['', '-wal'].map((part) => readFileSync(join(folder, `cairn.db${part}`), 'latin1')).join('');
  }
});
