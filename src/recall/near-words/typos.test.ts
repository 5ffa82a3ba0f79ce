import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenise } from '../../indexing/tokenise.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { inTransaction, openDatabase } from '../../store/sqlite/open.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { correctQuery } from './correct-query.ts';
import { TYPOS } from './typo-table.ts';

/** The share of misspelled code words for which the right word was found when the table was made. */
const FLOOR = 0.9;

describe('misspelled words of code', () => {
  let folder: string;
  let store: Store;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-typos-'));
    const path = join(folder, 'cairn.db');
    const db = openDatabase(path);
    db.prepare("INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0)").run();
    const add = db.prepare(`
      INSERT INTO memories (kind, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller, at, changed_at)
      VALUES ('note', ?, '', ?, '[]', '[]', 0, 1, 'test', 0, 0)`);
    const docs = readFileSync(new URL('../../../bench/coding-set/docs.jsonl', import.meta.url), 'utf8');
    inTransaction(db, () => {
      for (const meant of new Set(TYPOS.map(([, , word]) => word))) add.run(`About the ${meant}`, '');
      // Everything else that memories of work say, so that there is much to confuse a word with.
      for (const line of docs.split('\n').filter(Boolean)) {
        const { title, text } = JSON.parse(line);
        add.run(title, text);
      }
    });
    db.close();
    store = openSqliteStore(path);
    updateIndex(store);
  }, 30_000);
  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are found as the words that were meant', () => {
    const missed = TYPOS.filter(([, typed, meant]) => !isFound(typed, meant)).map(
      ([kind, typed, meant]) => `${kind}: ${typed} → ${correct(typed)}, not ${meant}`,
    );
    const share = 1 - missed.length / TYPOS.length;
    expect(TYPOS).toHaveLength(200);
    expect({ share, missed: share < FLOOR ? missed : [] }).toEqual({ share, missed: [] });
  });

  function correct(text: string): string {
    return correctQuery(store, { text, projectId: 1, reach: 'project', limit: 10, now: 0 }).text;
  }

  function isFound(typed: string, meant: string): boolean {
    const found = new Set(tokenise(correct(typed)));
    const [whole = '', ...parts] = tokenise(meant);
    return found.has(whole) || (parts.length > 0 && parts.every((part) => found.has(part)));
  }
});
