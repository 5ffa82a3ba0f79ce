import { existsSync, statSync } from 'node:fs';
import { errorCode } from '../../platform/files.ts';
import { openReadOnly } from '../../platform/sqlite.ts';
import { currentVersion } from '../migrations/all.ts';
import { isStoreError } from '../store-error.ts';
import { isNotWritable, withStoreErrors } from './convert-errors.ts';
import {
  type Database,
  keepStatements,
  migrate,
  openDatabase,
  openUnchecked,
  refuseOtherKind,
  refuseOtherVersion,
  refuseUnusable,
  versionOf,
} from './open.ts';

/**
 * A read-only connection: it needs no write lock, no disk space and no write permission, and rejects changes with a
 * `StoreError` (`read-only`). A database that is missing or older is created or migrated first, which does need them.
 */
export function openForReading(path: string, busyMs: number): Database {
  if (!existsSync(path)) return openNewOrEmpty(path, busyMs);
  return withStoreErrors(() => {
    refuseOtherKind(path);
    refuseUnusable(path);
    const db = openWithoutWriting(path, busyMs);
    try {
      const version = versionOf(db);
      refuseOtherVersion(version);
      if (version === currentVersion()) {
        keepStatements(db);
        return db;
      }
    } catch (error) {
      db.close();
      throw error;
    }
    db.close();
    return openDatabase(path, { busyMs });
  });
}

/**
 * SQLite can open a read-only file, but cannot create the shared memory of a database in WAL mode; with an empty WAL
 * the file alone is complete.
 */
function openWithoutWriting(path: string, busyMs: number): Database {
  const db = openUnchecked(path, busyMs);
  try {
    db.exec('PRAGMA query_only = ON');
    versionOf(db);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    if (!isNotWritable(error) || hasWal(path)) throw error;
    // Hooks need this only if the disk is full or read-only, and node:url takes time to load.
    const { pathToFileURL } = process.getBuiltinModule('node:url');
    return openReadOnly(`${pathToFileURL(path)}?immutable=1`, busyMs);
  }
}

function hasWal(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** If the database cannot be created, nothing is stored yet, so an empty one in memory behaves the same. */
function openNewOrEmpty(path: string, busyMs: number): Database {
  try {
    return openDatabase(path, { busyMs });
  } catch (error) {
    if (!isStoreError(error, 'full-disk') && errorCode(error) !== 'EROFS') throw error;
    const db = openUnchecked(':memory:', busyMs);
    migrate(db);
    return db;
  }
}
