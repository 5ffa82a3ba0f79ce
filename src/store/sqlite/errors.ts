import { ERRORS_OF_ONE, type ErrorText } from '../../model/error-text.ts';
import type { ErrorScope, FailedCall, IndexedError, StoredError } from '../types/error.ts';
import { type Database, inTransaction } from './open.ts';
import type { IdRow, WithJson } from './rows.ts';
import { listMemberProjects } from './search.ts';
import { quoteTerm } from './search-match.ts';

/** The errors of failed calls, and the memories of their fixes. */
export function createErrorQueries(db: Database) {
  return {
    /** Indexes at most `most` failed calls. @returns how many. */
    indexPendingErrors(make: (call: FailedCall) => IndexedError[], most: number): number {
      const isAny = db.prepare('SELECT 1 FROM errors_pending LIMIT 1').get() !== undefined;
      return isAny ? inTransaction(db, () => indexSome(db, make, most)) : 0;
    },
    /** The errors with most of these words, best first. Without words, the newest. */
    findErrors(terms: string[], scope: ErrorScope, limit: number): StoredError[] {
      const members = listMemberProjects(db, { projects: scope.projects, kinds: [] });
      const isByWords = terms.length > 0;
      const rows = db
        .prepare<WithJson<StoredError, 'frames'>>(`
        SELECT r.id, r.name, r.message, r.frames, r.words, e.at, e.session_id AS sessionId, e.turn_id AS turnId,
          coalesce(p.alias, p.name) AS project
        FROM ${isByWords ? 'error_words JOIN errors r ON r.id = error_words.rowid' : 'errors r'}
        JOIN events e ON e.id = r.event_id JOIN sessions s ON s.id = e.session_id
        LEFT JOIN projects p ON p.id = s.project_id
        WHERE ${isByWords ? 'error_words MATCH :match' : ":match = ''"}
          AND (:members = 'null' OR s.project_id IN (SELECT value FROM json_each(:members)))
          AND e.at >= coalesce(:since, 0) AND e.at < coalesce(:before, 1e18)
        ORDER BY ${isByWords ? 'error_words.rank,' : ''} e.at DESC LIMIT :limit`)
        .all({
          match: terms.map(quoteTerm).join(' OR '),
          members: JSON.stringify(members),
          since: scope.since,
          before: scope.before,
          limit,
        });
      return rows.map((row) => ({ ...row, frames: JSON.parse(row.frames) }));
    },
    /**
     * The memory of an error's fix: from a turn in which the error occurred, or a later bugfix of its session. Bugfixes
     * come first, then memories of such a turn, then the latest. Null if there is none.
     */
    findFix({ name, message }: Pick<ErrorText, 'name' | 'message'>): number | null {
      const row = db
        .prepare<IdRow>(`
        WITH seen AS (
          SELECT e.turn_id AS turn, e.session_id AS session, e.at FROM errors r JOIN events e ON e.id = r.event_id
          WHERE r.name = ? AND r.message = ?)
        SELECT m.id FROM memories m
        WHERE m.superseded_by IS NULL AND m.kind <> 'summary' AND (
          m.turn_id IN (SELECT turn FROM seen)
          OR (m.type = 'bugfix' AND EXISTS (
            SELECT 1 FROM seen WHERE seen.session = m.session_id AND m.at >= seen.at)))
        ORDER BY coalesce(m.type, '') = 'bugfix' DESC, m.turn_id IN (SELECT turn FROM seen) DESC,
          coalesce(m.type, '') IN ('gotcha', 'decision', 'how-it-works') DESC, m.at DESC LIMIT 1`)
        .get(name, message);
      return row?.id ?? null;
    },
  };
}

function indexSome(db: Database, make: (call: FailedCall) => IndexedError[], most: number): number {
  const pending = db
    .prepare<IdRow>('SELECT event_id AS id FROM errors_pending ORDER BY event_id DESC LIMIT ?')
    .all(most);
  const read = db.prepare<{ response: string | null }>('SELECT response FROM events WHERE id = ?');
  const known = db.prepare<WithJson<ErrorText, 'frames'>>(
    'SELECT name, message, frames FROM errors WHERE event_id = ? ORDER BY id',
  );
  const remove = db.prepare('DELETE FROM errors WHERE event_id = ?');
  const add = db.prepare(
    'INSERT INTO errors (id, event_id, name, message, frames, words) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const done = db.prepare('DELETE FROM errors_pending WHERE event_id = ?');
  for (const { id } of pending) {
    const event = read.get(id);
    const errors = known.all(id).map((row) => ({ ...row, frames: JSON.parse(row.frames) }));
    const found = event ? make({ response: event.response, errors }).slice(0, ERRORS_OF_ONE) : [];
    remove.run(id);
    for (const [place, { name, message, frames, words }] of found.entries())
      add.run(id * 4 + place, id, name, message, JSON.stringify(frames), words);
    done.run(id);
  }
  return pending.length;
}
