import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { currentVersion, migrations } from '../migrations/all.ts';
import { createHistoryQueries } from './history.ts';
import { tryLock } from './lock.ts';
import { type Database, openDatabase, openUnchecked } from './open.ts';
import { openReadingStore } from './reading-store.ts';
import { listPrimaryTables, rebuildDamaged } from './rebuild-damaged.ts';

it('creates files that only their owner can read', () => {
  const path = join(tempFolder(), 'deep/er/cairn.db');
  const store = openPlainStore(path);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  store.close();
});

it('checkpoints and truncates the WAL without losing data', () => {
  const path = join(tempFolder(), 'cairn.db');
  const store = openPlainStore(path);
  store.projectFor({ name: 'orchard', path: '/orchard' }, { now: 1 });
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  store.checkpointWal();
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(store.listProjects()).toMatchObject([{ name: 'orchard' }]);
  store.close();
});

it('rejects a newer database and changes no file', () => {
  const folder = tempFolder();
  const path = join(folder, 'cairn.db');
  const db = openDatabase(path);
  db.exec(`PRAGMA user_version = ${currentVersion() + 6}; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  const contents = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  const before = contents();
  expect(() => openPlainStore(path)).toThrow(expect.objectContaining({ code: 'newer' }));
  expect(() => openPlainStore(path)).toThrow('npm install -g cairn-memory@latest');
  expect(contents()).toEqual(before);
});

it('reports a file that is not a database as damaged', () => {
  const path = join(tempFolder(), 'cairn.db');
  writeFileSync(path, 'x'.repeat(10_000));
  expect(() => openPlainStore(path)).toThrow(expect.objectContaining({ code: 'damaged' }));
});

it('recovers the readable part of a damaged database, and keeps the damaged file', () => {
  const folder = tempFolder();
  const path = join(folder, 'cairn.db');
  const db = openDatabase(path);
  const add = db.prepare('INSERT INTO spool_files VALUES (?, 1)');
  db.exec('BEGIN');
  for (let i = 0; i < 20_000; i++) add.run(`name-${String(i).padStart(5, '0')}`.padEnd(60, 'x'));
  db.exec('COMMIT');
  db.exec("INSERT INTO projects (name, created_at) VALUES ('kept', 1); PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000);
  writeFileSync(path, bytes);
  copyFileSync(path, join(folder, 'copy'));

  const rebuilt = rebuildDamaged(path, Date.UTC(2026, 0, 1));
  expect(rebuilt.damaged).toBe(`${path}.damaged-2026-01-01T00-00-00-000Z`);
  expect(readFileSync(rebuilt.damaged).equals(readFileSync(join(folder, 'copy')))).toBe(true);
  expect(rebuilt.incomplete).toEqual(['spool_files']);
  expect(rebuilt.rows).toBeGreaterThan(1_000);
  const store = openPlainStore(path);
  expect(store.listProjects()).toMatchObject([{ name: 'kept' }]);
  store.close();
});

it('recovers everything from a database whose schema pages are damaged', () => {
  const path = join(tempFolder(), 'cairn.db');
  const db = openDatabase(path);
  db.exec("INSERT INTO projects (name, created_at) VALUES ('kept', 1); PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const { pages, pageSize } = JSON.parse(readFileSync(`${path}.schema`, 'utf8'));
  const bytes = readFileSync(path);
  for (const page of Object.keys(pages).map(Number)) bytes.fill(0xff, (page - 1) * pageSize, page * pageSize);
  writeFileSync(path, bytes);

  expect(rebuildDamaged(path, 0).incomplete).toEqual([]);
  const store = openPlainStore(path);
  expect(store.listProjects()).toMatchObject([{ name: 'kept' }]);
  store.close();
  const leftOver = readdirSync(dirname(path)).filter((name) => /next|mended/.test(name));
  expect(leftOver).toEqual([]);
});

it('copies the rows of every primary table to the rebuilt database', () => {
  const path = join(tempFolder(), 'cairn.db');
  const db = openDatabase(path);
  const tables = listPrimaryTables(db);
  expect(tables).toEqual(expect.arrayContaining(['projects', 'events', 'told_works', 'trash']));
  db.exec('PRAGMA foreign_keys = OFF');
  // A row with number 1 in every column refers to the first row of every other table.
  for (const table of tables) {
    const columns = db.prepare<{ name: string }>(`PRAGMA table_info(${table})`).all();
    db.exec(`INSERT OR REPLACE INTO ${table} VALUES (${columns.map(() => 1).join(', ')})`);
  }
  const rows = (from: Database) =>
    Object.fromEntries(tables.map((table) => [table, from.prepare(`SELECT * FROM ${table}`).all()]));
  const before = rows(db);
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();

  expect(rebuildDamaged(path, 0).incomplete).toEqual([]);
  const rebuilt = openUnchecked(path);
  expect(rows(rebuilt)).toEqual(before);
  rebuilt.close();
});

it('does not reuse the numbers of lost sessions and turns', () => {
  const path = join(tempFolder(), 'cairn.db');
  const db = openDatabase(path);
  db.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO events (session_id, turn_id, kind, priority, at, via, digest, spool_name)
      VALUES (7, 9, 'turn-end', 'normal', 5, 'settings', '', 'x');
    INSERT INTO jobs (kind, turn_id, priority, created_at) VALUES ('distil', 99, 'normal', 1);
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  rebuildDamaged(path, Date.UTC(2026, 0, 1));
  const store = openPlainStore(path);
  expect(store.findSessions('s7')).toMatchObject([{ agentSession: 'lost-7', endReason: 'lost', events: 1 }]);
  expect(store.readTurn(9)).toMatchObject({ sessionId: 7, closedBy: 'gap' });
  expect(store.listJobs()).toEqual([]);
  store.close();
});

it('rebuilds work items with their names, sessions and tasks', () => {
  const path = join(tempFolder(), 'cairn.db');
  const store = openPlainStore(path);
  const project = store.projectFor({ name: 'orchard' }, { now: 1 }) ?? 0;
  const work = store.addWorkItem({ ...WORK, projectId: project });
  store.changeWorkItem(work.id, { name: 'graft' }, 200);
  store.bindSession({ agent: 'claude-code', agentSession: 's', workId: work.id, by: 'new', at: 200 });
  const task = {
    subject: 'Apples',
    description: '',
    state: 'open',
    source: 'person',
    key: null,
    at: 200,
  } as const;
  store.addTask({ ...task, workId: work.id });
  rememberTurn(store, { at: 300, place: { path: '/orchard', name: 'orchard' } });
  for (const followed of store.listEventsToFollow({ tools: [], limit: 1 })) store.markFollowed(followed);
  const readBack = () => ({
    works: [store.findWorkItem('prune'), store.findSessionWorkItem('s')],
    tasks: store.listTasks(1).map(({ id }) => store.listTaskChanges(id)),
    unfollowed: store.listEventsToFollow({ tools: [], limit: 9 }),
  });
  const before = readBack();
  store.close();
  // A work item whose project is lost, and a note whose work item is lost.
  const db = openDatabase(path);
  db.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO works (name, title, mode, project_id, opened_at, changed_at) VALUES ('mow', 'Mow', 'idle', 77, 1, 1);
    INSERT INTO work_notes (work_id, text, at) VALUES (99, 'whose?', 1);
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();

  expect(rebuildDamaged(path, 0).incomplete).toEqual([]);
  const rebuilt = openPlainStore(path);
  Object.assign(store, rebuilt);
  expect(readBack()).toEqual(before);
  expect(rebuilt.findWorkItem('mow')).toMatchObject({ project: 'lost-77' });
  expect(rebuilt.listWorkNotes(99)).toEqual([]);
  rebuilt.close();
});

it.each([
  ['migrates', false],
  ['rebuilds', true],
])('%s an older database to the current version', (_, isRebuilt) => {
  const path = join(tempFolder(), 'cairn.db');
  const old = openPlainStore(path);
  rememberTurn(old, { at: 300, place: { path: '/orchard', name: 'orchard' } });
  const version = old.countEverything().schemaVersion;
  old.close();
  migrations.push({ name: '002-made-up', sql: 'ALTER TABLE projects ADD COLUMN colour TEXT' });
  try {
    if (isRebuilt) expect(rebuildDamaged(path, 0)).toMatchObject({ incomplete: [] });
    const store = openPlainStore(path);
    expect(store.countEverything()).toMatchObject({ schemaVersion: version + 1, prompts: 1, events: 1 });
    store.close();
    const db = openUnchecked(path);
    expect(db.prepare('SELECT name, colour FROM projects').all()).toEqual([
      { name: 'orchard', colour: null },
    ]);
    db.close();
  } finally {
    migrations.pop();
  }
  expect(() => openPlainStore(path)).toThrow(expect.objectContaining({ code: 'newer' }));
});

it.each<[string, { sessionId?: number }, string]>([
  ['a moment', {}, 'prompts_at (at<?)'],
  ['a session', { sessionId: 1 }, 'sqlite_autoindex_prompts_1 (session_id=?)'],
])('reads the timeline of %s by an index of prompts', (_, which, index) => {
  const db = openDatabase(join(tempFolder(), 'cairn.db'));
  const plan: string[] = [];
  const explain = (sql: string) => ({
    all(...values: never[]) {
      const steps = db.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      plan.push(...steps.map(({ detail }) => detail));
      return [];
    },
  });
  const { listMoments } = createHistoryQueries({ prepare: explain } as unknown as Database);
  listMoments({ projectId: null, around: { at: 1 }, before: 10, after: 10, ...which });
  expect(plan).toContain(`SEARCH p USING INDEX ${index}`);
  db.close();
});

it.each([1, 8, 9])('rejects a database from before the first release: schema %s', (version) => {
  const path = join(tempFolder(), 'cairn.db');
  const db = openUnchecked(path);
  db.exec(`CREATE TABLE projects (id INTEGER PRIMARY KEY); PRAGMA user_version = ${version}`);
  db.close();
  const before = readFileSync(path, 'base64');
  expect(() => openPlainStore(path)).toThrow('before the first release');
  expect(() => openReadingStore(path)).toThrow('before the first release');
  expect(readFileSync(path, 'base64')).toBe(before);
});

it('grants a lock to one holder until it is released', () => {
  const path = join(tempFolder(), 'lock');
  const release = tryLock(path);
  expect(release).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  release?.();
  const again = tryLock(path);
  expect(again).not.toBeNull();
  again?.();
});

const WORK = { name: 'prune', title: 'Prune', branch: null, worktree: null, at: 100 };
