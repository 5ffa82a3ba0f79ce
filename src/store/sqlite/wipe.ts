import type { Database } from './open.ts';
import { keepSchemaPages } from './schema-pages.ts';

const PATIENCE_MS = 3_000;

/**
 * See `vacuumAndTruncate` in curation.ts. SQLite overwrites what it deletes, but pieces of a row that was moved
 * sometimes stay on a page, and older pages remain in the write-ahead log.
 */
export function vacuumAndTruncate(db: Database): boolean {
  db.exec('VACUUM');
  const isTruncated = truncateLog(db);
  keepSchemaPages(db);
  return isTruncated;
}

function truncateLog(db: Database): boolean {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const checkpoint = db.prepare<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (checkpoint?.busy === 0) return true;
    if (Date.now() >= until) return false;
  }
}
