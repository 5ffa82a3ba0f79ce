import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { QUICK_BREADTH, type SearchBreadth } from './candidates.ts';
import { recall } from './recall.ts';

// Some memory has each word that is asked for, so that no word is replaced: it is other words for the same that find the
// memory that is meant.

const NOW = Date.UTC(2026, 5, 15, 12);
const MEMORIES = [
  ['Rate limit of the public API', 'At most 20 requests per second and client.'],
  ['Nächtliche Sicherung der Datenbank', 'Läuft um drei Uhr auf dem Replikat.'],
  ['Throttle of the scroll handler', 'Removed, the browser does it.'],
  ['Backup of the wiki', 'Monthly, by hand.'],
];

let folder: string;
let db: Database;
let store: Store;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-related-'));
  db = openDatabase(join(folder, 'cairn.db'));
  store = openSqliteStore(join(folder, 'cairn.db'));
  db.exec(`INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0)`);
  for (const [title = '', text = ''] of MEMORIES) remember(title, text);
  for (let number = 0; number < 40; number++) remember(`Filler ${number}`, 'about nothing much at all');
  updateIndex(store);
});
afterAll(() => {
  store.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

test('other words for the same find a memory, and the reason quotes both', () => {
  const hit = search('throttle api clients').find(({ title }) => title === 'Rate limit of the public API');
  expect(hit?.reasons).toContain('for “throttle”: Rate limit');
});

test('a question in one language finds a memory in another', () => {
  const hit = search('wann läuft das backup der datenbank')[0];
  expect(hit?.title).toBe('Nächtliche Sicherung der Datenbank');
  expect(hit?.reasons).toContain('for “backup”: Sicherung');
});

test('the word itself counts more', () => {
  expect(search('die Sicherung').map(({ title }) => title)).toEqual([
    'Nächtliche Sicherung der Datenbank',
    'Backup of the wiki',
  ]);
});

test('a hook looks for no other words', () => {
  expect(search('throttle', QUICK_BREADTH).map(({ title }) => title)).toEqual([
    'Throttle of the scroll handler',
  ]);
});

function search(text: string, breadth?: SearchBreadth): { title: string; reasons: string[] }[] {
  const request = { text, projectId: 1, reach: 'project', limit: 20, now: NOW } as const;
  return recall(store, request, breadth).map(({ id, reasons }) => ({
    title: store.getMemories([id])[0]?.title ?? '',
    reasons,
  }));
}

function remember(title: string, text: string): void {
  db.prepare(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller,
      at, changed_at)
    VALUES ('observation', 'discovery', ?, '', ?, '[]', '[]', 0, 1, 'offline', ?, 0)`).run(title, text, NOW);
}
