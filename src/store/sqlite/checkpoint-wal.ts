import type { Database } from './open.ts';

/** Shorter than a hook waits for the database. */
const WAIT_FOR_READERS_MS = 50;

/**
 * Copies the WAL into the database and empties it. Emptying locks out all writers, so a passive checkpoint copies most of
 * it first, and the wait for readers of the WAL is short: the next checkpoint empties it.
 */
export function checkpointWal(db: Database): void {
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const timeout = db.prepare<{ timeout: number }>('PRAGMA busy_timeout').get()?.timeout ?? 0;
  db.exec(`PRAGMA busy_timeout = ${WAIT_FOR_READERS_MS}`);
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}
