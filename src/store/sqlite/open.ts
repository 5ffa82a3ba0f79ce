import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/files.ts';
import { connect, type Database, type Statement } from '../../platform/sqlite.ts';
import { currentVersion, FIRST_VERSION, migrations } from '../migrations/all.ts';
import { StoreError } from '../store-error.ts';
import { retryWhileBusy, withStoreErrors } from './convert-errors.ts';
import { keepSchemaPages, readKeptSchema } from './schema-pages.ts';
import { takeTurn } from './take-turns.ts';

export type { Database, Statement };

export interface OpenOptions {
  /** How long a call waits for another writer. */
  busyMs?: number;
  /**
   * Writes other than ingested events may be lost in a power cut. For hooks: a sync is slow while an agent waits,
   * and what a hook records is about a session that a power cut ends anyway.
   */
  isQuick?: boolean;
}

/** Opens or creates the database and migrates it. */
export function openDatabase(path: string, { busyMs = 5_000, isQuick = false }: OpenOptions = {}): Database {
  return withStoreErrors(() => {
    makePrivateFolder(dirname(path));
    refuseOtherKind(path);
    // A person may remove the database to begin again; the new one is empty for a moment.
    if (!existsSync(path)) rmSync(readKeptSchema(path), { force: true });
    closeSync(openSync(path, 'a', PRIVATE_FILE));
    refuseUnusable(path);

    const db = connect(path, { timeout: busyMs });
    try {
      const version = versionOf(db);
      refuseOtherVersion(version);
      // Only an empty database can be set to release free pages.
      if (version === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      retryWhileBusy(busyMs, () => db.exec('PRAGMA journal_mode = WAL'));
      // synchronous: intake removes a spool file after the commit, which must be on disk by then.
      // secure_delete: deleted rows may be private, so their bytes are overwritten.
      db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
      if (version < currentVersion()) {
        migrate(db);
        keepSchemaPages(db);
      }
      keepStatements(db);
      if (isQuick) makeQuick(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

const quick = new WeakSet<Database>();

/** Hooks leave checkpoints to other writers: copying the pages of a busy worker takes longer than a hook's answer. */
const MOST_WAL_PAGES = 16_000;

function makeQuick(db: Database): void {
  db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${MOST_WAL_PAGES}`);
  quick.add(db);
}

/** Durable when it returns, even if other writes are not. */
export function writeDurably<T>(db: Database, work: () => T): T {
  if (!quick.has(db)) return work();
  db.exec('PRAGMA synchronous = FULL');
  try {
    return work();
  } finally {
    makeQuick(db);
  }
}

/** Neither checked nor migrated: for a database that can no longer be opened normally. */
export function openUnchecked(path: string, busyMs = 0): Database {
  return connect(path, { timeout: busyMs });
}

/** A database that is only locked: nothing is ever written to it. */
export function openLockFile(path: string, busyMs: number): Database {
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  return connect(path, { timeout: busyMs });
}

export function versionOf(db: Database): number {
  return db.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
}

export function findDamage(db: Database): string[] {
  const rows = db.prepare<{ quick_check: string }>('PRAGMA quick_check(5)').all();
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
}

/** A transaction. A nested call belongs to the outer one. */
export function inTransaction<T>(db: Database, work: () => T): T {
  const isInner = db.isTransaction;
  const { begin, commit, rollBack } = isInner ? INNER : OUTER;
  const release = isInner ? undefined : takeTurn(db, () => db.exec(begin));
  if (isInner) db.exec(begin);
  try {
    const result = work();
    db.exec(commit);
    return result;
  } catch (error) {
    // A full disk has rolled it back already.
    if (db.isTransaction) db.exec(rollBack);
    throw error;
  } finally {
    release?.();
  }
}

const OUTER = { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', rollBack: 'ROLLBACK' };
/** If the error of an inner transaction is caught, the outer one continues without its changes. */
const INNER = {
  begin: 'SAVEPOINT inner',
  commit: 'RELEASE inner',
  rollBack: 'ROLLBACK TO inner; RELEASE inner',
};

/** Another process may be migrating: the version is read inside the transaction. */
export function migrate(db: Database): void {
  inTransaction(db, () => {
    const done = Math.max(versionOf(db) - FIRST_VERSION + 1, 0);
    for (const step of migrations.slice(done)) db.exec(step.sql);
    db.exec(`PRAGMA user_version = ${currentVersion()}`);
  });
}

/** More than the code has, unless a statement is built with values in its text. */
const MOST_STATEMENTS = 500;

/**
 * Prepares every statement once. The garbage collector is slow to free unused statements: it sees a small object, not
 * the memory behind it.
 */
export function keepStatements(db: Database): void {
  const kept = new Map<string, Statement>();
  const prepare = db.prepare.bind(db);
  const value = (sql: string) => {
    const statement = kept.get(sql) ?? prepare<never>(sql);
    if (kept.size < MOST_STATEMENTS) kept.set(sql, statement);
    return statement;
  };
  Object.defineProperty(db, 'prepare', { value });
}

/** @throws StoreError for a database that this Cairn can neither use nor migrate. 0 is an empty one. */
export function refuseOtherVersion(version: number): void {
  if (version === 0 || (version >= FIRST_VERSION && version <= currentVersion())) return;
  if (version < FIRST_VERSION)
    throw new StoreError(
      'newer',
      `This memory was written by a Cairn from before the first release (its schema is ${version}) and cannot be ` +
        'read. Move cairn.db, cairn.db-wal and cairn.db-shm elsewhere to start a new one. Nothing was changed.',
    );
  throw new StoreError(
    'newer',
    `This memory was written by a newer Cairn (its schema is ${version}, this one knows ${currentVersion()}). ` +
      'Update Cairn: npm install -g cairn-memory@latest. Nothing was changed.',
  );
}

/**
 * Before SQLite opens the file: it takes an empty file for a new database, and deletes its WAL.
 * @throws StoreError for a database of another version, or one that has lost its content.
 */
export function refuseUnusable(path: string): void {
  const version = versionInHeader(path);
  refuseOtherVersion(version);
  if (version === 0 && isEmptied(path)) throw new StoreError('damaged', 'The database has lost its content.');
}

/** Opening a pipe waits for its other end, which may never come. */
export function refuseOtherKind(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw Object.assign(new Error(`${path} is not a file.`), {
      code: stats.isDirectory() ? 'EISDIR' : 'EINVAL',
    });
}

/** The schema's pages are kept next to a database when it is created. */
export function isEmptied(path: string): boolean {
  return statSync(path).size === 0 && existsSync(readKeptSchema(path));
}

/** SQLite keeps user_version at offset 60: reading it there touches nothing at all. */
function versionInHeader(path: string): number {
  const header = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, header, 0, 64, 0);
    return read === 64 && header.toString('latin1', 0, 15) === 'SQLite format 3'
      ? header.readUInt32BE(60)
      : 0;
  } finally {
    closeSync(file);
  }
}
