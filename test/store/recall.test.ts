import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { updateIndex } from '../../src/indexing/update-index.ts';
import { createListStore, type ListedMemory } from '../../src/recall/list-store.ts';
import { recall } from '../../src/recall/recall.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { randomFrom } from '../support/random.ts';
import { tempFolder } from '../support/temp.ts';
import { listMemory, NOW, PROJECTS, recallContract } from './recall.contract.ts';

const open: Store[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function openSqlite(memories: ListedMemory[]): Store {
  const path = join(tempFolder(), 'cairn.db');
  const db = openDatabase(path);
  for (const [index, name] of PROJECTS.entries())
    db.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, 0)').run(index + 1, name);
  const addSession = db.prepare(`
    INSERT OR IGNORE INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen)
    VALUES (?, ?, ?, 1, 0, 0)`);
  const add = db.prepare(`
    INSERT INTO memories (id, kind, type, title, subtitle, narrative, facts, concepts, aliases, tokens, session_id,
      project_id, branch, distiller, at, changed_at, scope, said_by, pinned_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`);
  const addFile = db.prepare('INSERT INTO memory_files (memory_id, path, how, symbols) VALUES (?, ?, ?, ?)');
  for (const { memory, agent, symbols } of memories) {
    const { id, kind, type, title, subtitle, narrative, facts, concepts, aliases, tokens, sessionId } =
      memory;
    if (sessionId !== null) addSession.run(sessionId, agent, `session-${sessionId}`);
    add.run(
      ...[id, kind, type, title, subtitle, narrative],
      ...[facts, concepts, aliases].map((list) => JSON.stringify(list)),
      ...[tokens, sessionId, memory.projectId, memory.branch, memory.distiller, memory.at],
      ...[memory.scope, memory.saidBy, memory.pinnedAt],
    );
    for (const path of memory.filesModified) addFile.run(id, path, 'write', JSON.stringify(symbols));
    for (const path of memory.filesRead) addFile.run(id, path, 'read', JSON.stringify(symbols));
  }
  for (const { memory } of memories)
    db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(memory.supersededBy, memory.id);
  db.close();
  const store = openSqliteStore(path);
  open.push(store);
  updateIndex(store);
  return store;
}

recallContract('SQLite', openSqlite);
recallContract('a list', (memories) => createListStore(memories));

/** So many different words that no query matches more documents than are ranked. */
const WORDS = Array.from(
  { length: 400 },
  (_, index) => `k${index.toString(5).replace(/./g, (digit) => 'aeiou'[Number(digit)] ?? '')}z`,
);

test('SQLite and a list rank the same memories in the same order, with the same scores and reasons', () => {
  const random = randomFrom(7);
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[random.below(WORDS.length)]).join(' ');
  const memories = Array.from({ length: 150 }, (_, index) =>
    listMemory(index + 1, {
      ...{
        title: words(3),
        narrative: `${words(12)}. ${words(6)}?`,
        facts: [words(5)],
        concepts: [words(1)],
      },
      kind: random.oneOf(['observation', 'note']),
      type: random.oneOf(['decision', 'gotcha', null]),
      projectId: random.chance(0.7) ? 1 : 2,
      sessionId: random.chance(0.6) ? 1 + random.below(8) : null,
      supersededBy: index > 0 && random.chance(0.1) ? index : null,
      filesModified: random.chance(0.5) ? [`src/${WORDS[random.below(WORDS.length)]}.ts`] : [],
      branch: random.chance(0.3) ? 'feature' : 'main',
    }),
  );
  const [sqlite, list] = [openSqlite(memories), createListStore(memories)];
  let hits = 0;
  for (let round = 0; round < 40; round++) {
    const request = {
      ...{ text: words(1 + random.below(4)), projectId: 1, branch: 'main', limit: 10, now: NOW },
      reach: random.oneOf<'project' | 'all'>(['project', 'all']),
    };
    const rounded = (store: Parameters<typeof recall>[0]) =>
      recall(store, request).map((hit) => ({ ...hit, score: Number(hit.score.toFixed(6)) }));
    const expected = rounded(sqlite);
    hits += expected.length;
    expect({ text: request.text, hits: rounded(list) }).toEqual({ text: request.text, hits: expected });
  }
  expect(hits).toBeGreaterThan(100);
});
