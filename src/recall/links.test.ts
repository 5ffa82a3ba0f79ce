import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { QUICK_BREADTH, type SearchBreadth } from './candidates.ts';
import { recall } from './recall.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const QUESTION = 'what fixed the ECONNRESET in the uploader?';

describe('links', () => {
  let folder: string;
  let db: Database;
  let store: Store;
  let error: number;
  let fix: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-links-'));
    db = openDatabase(join(folder, 'cairn.db'));
    store = openSqliteStore(join(folder, 'cairn.db'));
    db.exec(`INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0), (2, 'blog', 0)`);
    for (let number = 0; number < 40; number++) tell(`Filler ${number}`, 'about nothing much at all');
    error = tell('ECONNRESET in the uploader', 'large pictures break off', ['src/net/send-parts.ts']);
    fix = tell('Keep the socket open between parts', 'the agent closed it too early', [
      'src/net/send-parts.ts',
    ]);
  });
  afterEach(() => {
    store.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds what has a rare name in common with what fits, and says which', () => {
    expect(parsed()).toEqual([
      { id: error, reasons: ['title says ECONNRESET, uploader', 'today'] },
      { id: fix, reasons: [`shares \`src/net/send-parts.ts\` with #${error}`, 'today'] },
    ]);
  });

  it('keeps it behind the best, whatever else fits', () => {
    const others = [1, 2].map((number) => tell(`The uploader, part ${number}`, 'shows how far it is'));
    const weak = [1, 2, 3].map((number) =>
      tell(`Room ${number}`, `has a door, chairs and the uploader ${number}`),
    );
    const found = parsed().map(({ id }) => id);
    expect(found[0]).toBe(error);
    expect(found.slice(1, 3).sort()).toEqual(others);
    expect(found[3]).toBe(fix);
    expect(found.slice(4).sort()).toEqual(weak);
  });

  it('follows no name that many have', () => {
    for (let number = 0; number < 8; number++) tell(`Change ${number}`, 'tidied', ['src/net/send-parts.ts']);
    expect(parsed().map(({ id }) => id)).toEqual([error]);
  });

  it('does not take the type of a memory for a name', () => {
    const other = tell('The kitchen has two doors', 'one opens to the garden');
    db.exec(`UPDATE memories SET type = 'how-it-works' WHERE id IN (${error}, ${other})`);
    expect(parsed().map(({ id }) => id)).toEqual([error, fix]);
  });

  it('stays inside the project', () => {
    db.exec(`UPDATE memories SET project_id = 2 WHERE id = ${fix}`);
    expect(parsed().map(({ id }) => id)).toEqual([error]);
  });

  it('follows none where nobody asked', () => {
    expect(parsed(QUICK_BREADTH).map(({ id }) => id)).toEqual([error]);
  });

  function parsed(breadth?: SearchBreadth): { id: number; reasons: string[] }[] {
    updateIndex(store);
    const request = { text: QUESTION, projectId: 1, reach: 'project', limit: 20, now: NOW } as const;
    return recall(store, request, breadth).map(({ id, reasons }) => ({ id, reasons }));
  }

  function tell(title: string, text: string, files: string[] = []): number {
    const { lastInsertRowid } = db
      .prepare(`
        INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller,
          at, changed_at, said_by)
        VALUES ('observation', 'change', ?, '', ?, '[]', '[]', 0, 1, 'test', ?, 0, 'distiller')`)
      .run(title, text, NOW);
    const id = Number(lastInsertRowid);
    for (const file of files)
      db.prepare(`INSERT INTO memory_files (memory_id, path, how) VALUES (?, ?, 'write')`).run(id, file);
    return id;
  }
});
