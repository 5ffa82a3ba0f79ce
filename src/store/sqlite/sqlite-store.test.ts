import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { curationContract } from '../curation.contract.ts';
import { historyContract } from '../history.contract.ts';
import { memoryContract } from '../memory.contract.ts';
import { migrations } from '../migrations/all.ts';
import { notesContract } from '../notes.contract.ts';
import { storeContract } from '../store.contract.ts';
import { DamagedDatabaseError, NewerDatabaseError } from '../store.ts';
import { tryLock } from './lock.ts';
import { openDatabase } from './open.ts';
import { rebuildDamaged } from './set-aside.ts';
import { openSqliteStore } from './sqlite-store.ts';

const open = () => openSqliteStore(join(tempFolder(), 'cairn.db'));
storeContract('SQLite', open);
memoryContract('SQLite', open);
historyContract('SQLite', open);
notesContract('SQLite', open, rememberTurn);
curationContract('SQLite', open);

it('makes files that only their owner can read', () => {
  const path = join(tempFolder(), 'deep/er/cairn.db');
  const store = openSqliteStore(path);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  store.close();
});

it('refuses a newer database and touches nothing', () => {
  const folder = tempFolder();
  const path = join(folder, 'cairn.db');
  const db = openDatabase(path);
  db.exec(`PRAGMA user_version = ${migrations.length + 6}; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  const contents = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  const before = contents();
  expect(() => openSqliteStore(path)).toThrow(NewerDatabaseError);
  expect(() => openSqliteStore(path)).toThrow('npm install -g cairn-memory@latest');
  expect(contents()).toEqual(before);
});

it('says so when the file is no database', () => {
  const path = join(tempFolder(), 'cairn.db');
  writeFileSync(path, 'x'.repeat(10_000));
  expect(() => openSqliteStore(path)).toThrow(DamagedDatabaseError);
});

it('saves what can be read of a damaged database, and keeps the damaged one', () => {
  const folder = tempFolder();
  const path = join(folder, 'cairn.db');
  const db = openDatabase(path);
  const add = db.prepare('INSERT INTO spool_files VALUES (?, 1)');
  db.exec('BEGIN');
  for (let i = 0; i < 5_000; i++) add.run(`name-${String(i).padStart(4, '0')}`.padEnd(60, 'x'));
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
  const store = openSqliteStore(path);
  expect(store.listProjects()).toMatchObject([{ name: 'kept' }]);
  store.close();
});

it('reads everything of a database whose schema is damaged', () => {
  const path = join(tempFolder(), 'cairn.db');
  const db = openDatabase(path);
  db.exec("INSERT INTO projects (name, created_at) VALUES ('kept', 1); PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const { pages, pageSize } = JSON.parse(readFileSync(`${path}.schema`, 'utf8'));
  const bytes = readFileSync(path);
  for (const page of Object.keys(pages).map(Number)) bytes.fill(0xff, (page - 1) * pageSize, page * pageSize);
  writeFileSync(path, bytes);

  expect(rebuildDamaged(path, 0).incomplete).toEqual([]);
  const store = openSqliteStore(path);
  expect(store.listProjects()).toMatchObject([{ name: 'kept' }]);
  store.close();
  const leftOver = readdirSync(dirname(path)).filter((name) => /next|mended/.test(name));
  expect(leftOver).toEqual([]);
});

it('gives the numbers of lost sessions and turns to nobody else', () => {
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
  const store = openSqliteStore(path);
  expect(store.findSessions('s7')).toMatchObject([{ agentSession: 'lost-7', endReason: 'lost', events: 1 }]);
  expect(store.readTurn(9)).toMatchObject({ sessionId: 7, closedBy: 'gap' });
  expect(store.listJobs()).toEqual([]);
  store.close();
});

it('gives a lock to one only, until it lets go', () => {
  const path = join(tempFolder(), 'lock');
  const release = tryLock(path);
  expect(release).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  release?.();
  const again = tryLock(path);
  expect(again).not.toBeNull();
  again?.();
});
