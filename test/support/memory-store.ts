import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { type Database, openDatabase } from '../../src/store/sqlite/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

export interface MemoryStoreForTest {
  store: Store;
  db: Database;
  /** Adds a note to project 1 and indexes it. @returns its number. */
  addNote(text: string, rest?: { turn?: number; session?: number; type?: string; at?: number }): number;
  /** Adds a failed call to a turn of session 1 and indexes its output. @returns the event's id. */
  addFailure(text: string, rest: { turn: number; at?: number }): number;
  close(): void;
}

/** A store in a temporary folder with two projects, the sessions 1 and 2, and turns 1 to 4 of session 1. */
export function openMemoryStore(): MemoryStoreForTest {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-words-'));
  const path = join(folder, 'cairn.db');
  const db = openDatabase(path);
  const store = openSqliteStore(path);
  db.exec(`
    INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0), (2, 'blog', 0);
    INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen)
      VALUES (1, 'claude-code', 'one', 1, 0, 0), (2, 'claude-code', 'two', 2, 0, 0);
    INSERT INTO turns (id, session_id, opened_at, last_at) VALUES (1, 1, 1, 1), (2, 1, 2, 2), (3, 1, 3, 3), (4, 1, 4, 4);`);
  return {
    store,
    db,
    addNote(text, { turn = null, session = null, type = null, at = 0 }: Rest = {}) {
      const { lastInsertRowid } = db
        .prepare(`
        INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, turn_id, session_id,
          project_id, distiller, at, changed_at)
        VALUES ('note', ?, ?, '', '', '[]', '[]', 0, ?, ?, 1, 'test', ?, 0)`)
        .run(type, text, turn, session, at);
      updateIndex(store);
      return Number(lastInsertRowid);
    },
    addFailure(text, { turn, at = turn }) {
      const { lastInsertRowid } = db
        .prepare(`
        INSERT INTO events (session_id, turn_id, kind, tool, outcome, priority, response, at, via, digest, spool_name)
        VALUES (1, ?, 'tool-end', 'Bash', 'failure', 'normal', ?, ?, 'settings', '', '')`)
        .run(turn, JSON.stringify(text), at);
      updateIndex(store);
      return Number(lastInsertRowid);
    },
    close() {
      store.close();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Rest {
  turn?: number | null;
  session?: number | null;
  type?: string | null;
  at?: number;
}
