import type { Change } from '../types/change.ts';
import type { Database } from './open.ts';
import { requireRow } from './rows.ts';

/** Numbered changes. Triggers record them, so changes by any process are included. */
export function createChangeQueries(db: Database) {
  return {
    /** The numbers of the oldest and the newest recorded change. */
    getChangeRange(): { first: number; last: number } {
      const row = db
        .prepare<{ first: number; last: number }>(
          'SELECT (SELECT min(number) FROM changes) AS first, (SELECT max(number) FROM changes) AS last',
        )
        .get();
      return { ...requireRow(row) };
    },
    listChanges: (after: number, limit: number): Change[] =>
      db
        .prepare<Change>('SELECT number, what, id, how FROM changes WHERE number > ? ORDER BY number LIMIT ?')
        .all(after, limit)
        .map((row) => ({ ...row })),
    /** Keeps only the latest `kept` changes. */
    pruneChanges(kept: number): void {
      db.prepare('DELETE FROM changes WHERE number <= (SELECT max(number) FROM changes) - ?').run(kept);
    },
  };
}
