import type { Redacted } from '../../model/redacted.ts';
import { type Database, inTransaction } from './open.ts';

/** Given and learnt aliases of a memory `m`. Joining both lists is most of the cost of a read, and few memories have learnt ones. */
export const ALL_ALIASES = `CASE WHEN EXISTS (SELECT 1 FROM learnt_aliases WHERE memory_id = m.id)
    THEN (SELECT json_group_array(value) FROM (
      SELECT value FROM json_each(m.aliases) UNION ALL SELECT words FROM learnt_aliases WHERE memory_id = m.id))
    ELSE m.aliases END`;

/** Beyond this the oldest are dropped: a memory that needs more aliases is badly worded itself. */
const MOST_LEARNT = 5;

/** Aliases of memories, learnt from searches. */
export function createAliasQueries(db: Database) {
  return {
    /** Remembers a search that found nothing good; searches older than `since` are dropped. */
    recordWeakSearch(searcher: string, words: Redacted, now: number, since: number): void {
      inTransaction(db, () => {
        db.prepare('DELETE FROM weak_searches WHERE at < ?').run(since);
        db.prepare('INSERT OR REPLACE INTO weak_searches (searcher, words, at) VALUES (?, ?, ?)').run(
          searcher,
          words,
          now,
        );
      });
    },
    /** The words of the searcher's last weak search since then; null if there is none. */
    findWeakSearch(searcher: string, since: number): string | null {
      const row = db
        .prepare<{ words: string }>('SELECT words FROM weak_searches WHERE searcher = ? AND at >= ?')
        .get(searcher, since);
      return row?.words ?? null;
    },
    /** After a search with good results the earlier weak search no longer teaches aliases. */
    dropWeakSearch(searcher: string): void {
      db.prepare('DELETE FROM weak_searches WHERE searcher = ?').run(searcher);
    },
    learnAlias(memoryId: number, words: Redacted, now: number): void {
      inTransaction(db, () => {
        db.prepare('INSERT OR REPLACE INTO learnt_aliases (memory_id, words, at) VALUES (?, ?, ?)').run(
          memoryId,
          words,
          now,
        );
        db.prepare(`
          DELETE FROM learnt_aliases WHERE memory_id = ?1 AND words NOT IN (
            SELECT words FROM learnt_aliases WHERE memory_id = ?1 ORDER BY at DESC LIMIT ${MOST_LEARNT})`).run(
          memoryId,
        );
      });
    },
    /** Oldest first. */
    listLearntAliases(memoryId: number): string[] {
      const rows = db
        .prepare<{ words: string }>('SELECT words FROM learnt_aliases WHERE memory_id = ? ORDER BY at, words')
        .all(memoryId);
      return rows.map(({ words }) => words);
    },
    removeLearntAlias(memoryId: number, words: string): boolean {
      const { changes } = db
        .prepare('DELETE FROM learnt_aliases WHERE memory_id = ? AND lower(words) = lower(?)')
        .run(memoryId, words);
      return Number(changes) > 0;
    },
  };
}
