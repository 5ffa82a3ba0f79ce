import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { rebuildIndex, updateIndex } from './update-index.ts';

let folder: string;
let db: Database;
let store: Store;

beforeEach(() => {
  folder = tempFolder();
  db = openDatabase(join(folder, 'cairn.db'));
  store = openSqliteStore(join(folder, 'cairn.db'));
  db.exec(`
    INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0), (2, 'blog', 0);
    INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen)
      VALUES (1, 'claude-code', 'one', 1, 0, 0);
    INSERT INTO turns (id, session_id, prompt_number, opened_at, last_at) VALUES (1, 1, 1, 0, 0);
    INSERT INTO prompts (session_id, turn_id, number, origin, is_private, text, at, via, digest, spool_name)
      VALUES (1, 1, 1, 'person', 0, 'make the zebra faster', 0, '', '', '');`);
});
afterEach(() => {
  store.close();
  db.close();
});

test('indexes every claim by itself, after the header of its memory', () => {
  remember(1, { title: 'Cache the giraffe', facts: ['The lion sleeps.', 'Ask the owl.'] });
  updateIndex(store);
  expect(store.listClaimDocs(1)).toEqual([
    {
      memoryId: 1,
      sessionId: 1,
      position: 0,
      type: 'gotcha',
      words: ' cach the giraff ',
      request: ' make the zebra faster ',
    },
    { memoryId: 1, sessionId: 1, position: 1, type: 'gotcha', words: ' cach the giraff ', request: '' },
    { memoryId: 1, sessionId: 1, position: 2, type: 'gotcha', words: ' the lion sleep ', request: '' },
    { memoryId: 1, sessionId: 1, position: 3, type: 'gotcha', words: ' ask the owl ', request: '' },
  ]);
  expect(store.countClaimDocs(1)).toBe(4);
  expect(store.listClaimDocs(2)).toEqual([]);
  expect(store.countClaimTerms(1, ['the', 'owl', 'fox'], 10)).toEqual([4, 1, 0]);
});

test('finds a claim with its header, and a header with its claims', () => {
  remember(1, { title: 'Cache the giraffe', facts: ['The lion sleeps.', 'Ask the owl.'] });
  updateIndex(store);
  const positions = (...any: string[]) =>
    store.findClaimDocs(1, { any, pairs: [] }, 10).map(({ position }) => position);
  expect(positions('owl')).toEqual([0, 3]);
  expect(positions('zebra')).toEqual([0, 1, 2, 3]);
  expect(store.findClaimDocs(2, { any: ['owl'], pairs: [] }, 10)).toEqual([]);
});

test('indexes only claims of a summary that no observation of its turn says', () => {
  remember(1, { title: 'Lions', facts: ['The lion sleeps at noon.'] });
  const parts = { learned: 'The lion sleeps at noon.', notes: 'The owl is in charge.', nextSteps: '' };
  remember(2, { kind: 'summary', title: 'Watch lions', facts: [], parts });
  updateIndex(store);
  const ofSummary = store.listClaimDocs(1).filter(({ memoryId, position }) => memoryId === 2 && position > 0);
  expect(ofSummary).toEqual([
    { memoryId: 2, sessionId: 1, position: 2, type: 'summary', words: ' the owl be in charg ', request: '' },
  ]);
});

test('drops deleted and superseded memories and the words of a deleted prompt at once', () => {
  remember(1, { title: 'Giraffe', facts: ['Ask the owl first.'] });
  remember(2, { title: 'Lion', facts: ['Never wake the lion.'] });
  updateIndex(store);
  db.exec('UPDATE memories SET superseded_by = 2 WHERE id = 1');
  expect(new Set(store.listClaimDocs(1).map(({ memoryId }) => memoryId))).toEqual(new Set([2]));
  db.exec('DELETE FROM prompts');
  expect(JSON.stringify(store.listClaimDocs(1))).not.toContain('zebra');
  updateIndex(store);
  expect(store.listClaimDocs(1)).toContainEqual({
    memoryId: 2,
    sessionId: 1,
    position: 0,
    type: 'gotcha',
    words: ' lion ',
    request: '',
  });
  db.exec('UPDATE memories SET superseded_by = NULL WHERE id = 1');
  updateIndex(store);
  expect(store.countClaimDocs(1)).toBe(5);
  db.exec('DELETE FROM memories');
  expect([store.countClaimDocs(1), store.listClaimDocs(1)]).toEqual([0, []]);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(readFileSync(join(folder, 'cairn.db'), 'latin1')).not.toMatch(/giraff|zebra/i);
});

test('finds global claims in every project, also after a rebuild', () => {
  remember(1, { title: 'Giraffe', facts: ['Ask the owl first.'] });
  db.exec("UPDATE memories SET scope = 'global'");
  updateIndex(store);
  const before = store.listClaimDocs(2);
  expect(before).toHaveLength(3);
  rebuildIndex(store);
  expect(store.listClaimDocs(2)).toEqual(before);
  expect(store.countClaimDocs(2)).toBe(3);
});

function remember(
  id: number,
  {
    kind = 'observation',
    title,
    facts,
    parts,
  }: { kind?: string; title: string; facts: string[]; parts?: object },
): void {
  db.prepare(`
    INSERT INTO memories (id, kind, type, title, subtitle, narrative, facts, concepts, parts, tokens, turn_id, session_id,
      project_id, distiller, at, changed_at)
    VALUES (?, ?, ?, ?, '', '', ?, '[]', ?, 0, 1, 1, 1, 'offline', ?, 0)`).run(
    id,
    kind,
    kind === 'observation' ? 'gotcha' : null,
    title,
    JSON.stringify(facts),
    parts
      ? JSON.stringify({
          request: '',
          investigated: '',
          completed: '',
          filesRead: [],
          filesModified: [],
          ...parts,
        })
      : null,
    id,
  );
}
