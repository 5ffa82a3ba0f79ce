import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../../platform/files.ts';
import { migrations } from '../migrations/all.ts';
import { FullDiskError, type Store } from '../store.ts';
import {
  type Database,
  keepStatements,
  migrate,
  openAsIs,
  openDatabase,
  openReadOnly,
  refuseNewer,
  versionInHeader,
  versionOf,
} from './open.ts';
import { storeOf } from './sqlite-store.ts';
import { isNotWritable, withStoreErrors } from './trouble.ts';

/**
 * A store for reading only: it needs no write lock, no space on the disk and no right to write, and refuses changes with
 * a `ReadOnlyDatabaseError`. A database that is not there yet, or older than this Cairn, is made or brought up to date
 * first, which does need them.
 */
export function openReadingStore(path: string, busyMs = 5_000): Store {
  return storeOf(openForReading(path, busyMs));
}

function openForReading(path: string, busyMs: number): Database {
  if (!existsSync(path)) return openNewOrEmpty(path, busyMs);
  return withStoreErrors(() => {
    refuseNewer(versionInHeader(path));
    const db = openWithoutWriting(path, busyMs);
    try {
      const version = versionOf(db);
      refuseNewer(version);
      if (version === migrations.length) {
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
 * SQLite itself opens a file that may not be written for reading. What it cannot do then is make the shared memory
 * beside a database in WAL mode; with nothing in the WAL, the file alone is all there is to read.
 */
function openWithoutWriting(path: string, busyMs: number): Database {
  const db = openAsIs(path, busyMs);
  try {
    db.exec('PRAGMA query_only = ON');
    versionOf(db);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    if (!isNotWritable(error) || hasWal(path)) throw error;
    return openReadOnly(`${pathToFileURL(path)}?immutable=1`, busyMs);
  }
}

function hasWal(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Where none can be made, nothing was stored yet: an empty one says so. */
function openNewOrEmpty(path: string, busyMs: number): Database {
  try {
    return openDatabase(path, { busyMs });
  } catch (error) {
    if (!(error instanceof FullDiskError) && errorCode(error) !== 'EROFS') throw error;
    const db = openAsIs(':memory:', busyMs);
    migrate(db);
    return db;
  }
}
