import type { Database } from './open.ts';

/**
 * Copies the WAL into the database and empties it. Emptying keeps all writers out, so what can be copied beside them is
 * copied first, and a reader who is not done with the WAL is not waited for: the next checkpoint empties it.
 */
export function checkpointWal(db: Database): void {
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const timeout = db.prepare<{ timeout: number }>('PRAGMA busy_timeout').get()?.timeout ?? 0;
  db.exec('PRAGMA busy_timeout = 0');
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}
