import type { Redacted } from '../../model/redacted.ts';
import type { SessionKeys, TranscriptPosition, UnreadQuery, UnreadSession } from '../types/transcript.ts';
import type { Database } from './open.ts';

/** Read positions in transcripts, and what is known about their sessions. */
export function createTranscriptQueries(db: Database) {
  return {
    /** What is stored already and need not be read again; null if the session is unknown. */
    readSessionKeys: (agent: string, agentSession: string): SessionKeys | null =>
      sessionKeys(db, agent, agentSession),
    /** Names that were ingested already, even from another copy of the transcript. */
    findIngestedNames(names: string[]): Set<string> {
      const find = db.prepare('SELECT 1 FROM spool_files WHERE name = ?');
      return new Set(names.filter((name) => find.get(name) !== undefined));
    },
    getTranscriptPosition(path: Redacted): TranscriptPosition | null {
      const row = db
        .prepare<TranscriptPosition>('SELECT offset, size FROM transcripts WHERE path = ?')
        .get(path);
      return row ?? null;
    },
    saveTranscriptPosition(
      path: Redacted,
      agentSession: Redacted,
      { offset, size }: TranscriptPosition,
      now: number,
    ): void {
      db.prepare(`
        INSERT INTO transcripts (path, session_id, offset, size, read_at)
        VALUES (?, (SELECT id FROM sessions WHERE agent_session = ? ORDER BY id LIMIT 1), ?, ?, ?)
        ON CONFLICT DO UPDATE SET session_id = excluded.session_id, offset = excluded.offset,
          size = excluded.size, read_at = excluded.read_at`).run(path, agentSession, offset, size, now);
    },
    /** The agent's ids of sessions since then whose transcript is unknown. */
    listSessionsWithoutTranscript(agent: string, since: number): string[] {
      return db
        .prepare<{ session: string }>(`
          SELECT agent_session AS session FROM sessions
          WHERE agent = ? AND transcript IS NULL AND last_seen >= ? ORDER BY id`)
        .all(agent, since)
        .map(({ session }) => session);
    },
    saveSessionTranscript(agent: string, agentSession: Redacted, path: Redacted): void {
      db.prepare('UPDATE sessions SET transcript = ? WHERE agent = ? AND agent_session = ?').run(
        path,
        agent,
        agentSession,
      );
    },
    /** Sessions whose transcript may have more than was read. */
    listUnreadSessions(
      agent: string,
      { now, endedForMs, silentForMs, isImmediate }: UnreadQuery,
    ): UnreadSession[] {
      return db
        .prepare<UnreadSession>(`
          SELECT agentSession, transcript FROM (
            SELECT s.agent_session AS agentSession, s.transcript, s.last_seen, coalesce(t.read_at, 0) AS read_at,
              CASE WHEN s.ended_at IS NULL THEN s.last_seen + ? ELSE s.ended_at + ? END AS due_at
            FROM sessions s LEFT JOIN transcripts t ON t.path = s.transcript
            WHERE s.agent = ? AND s.transcript IS NOT NULL)
          WHERE (read_at < due_at AND due_at <= ?) OR (? AND read_at < last_seen)
          ORDER BY last_seen`)
        .all(silentForMs, endedForMs, agent, now, isImmediate ? 1 : 0);
    },
  };
}

interface SessionRow {
  id: number;
  startSource: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  hasHooks: number;
}

function sessionKeys(db: Database, agent: string, agentSession: string): SessionKeys | null {
  const row = db
    .prepare<SessionRow>(`
      SELECT id, start_source AS startSource, first_seen AS firstSeen, last_seen AS lastSeen, ended_at AS endedAt,
        EXISTS (SELECT 1 FROM prompts WHERE session_id = sessions.id AND via <> 'transcript')
        OR EXISTS (SELECT 1 FROM events WHERE session_id = sessions.id AND via <> 'transcript') AS hasHooks
      FROM sessions WHERE agent = ? AND agent_session = ?`)
    .get(agent, agentSession);
  if (!row) return null;
  const column = (sql: string) =>
    db
      .prepare<{ value: string }>(sql)
      .all(row.id)
      .map(({ value }) => value);
  const prompts = db
    .prepare<{ id: string; count: number }>(`
      SELECT agent_prompt AS id, count(*) AS count FROM prompts
      WHERE session_id = ? AND agent_prompt IS NOT NULL GROUP BY agent_prompt`)
    .all(row.id);
  return {
    ...row,
    hasHooks: row.hasHooks === 1,
    // A call without an end in a transcript may still get one, and a transcript has more detail than some hooks.
    callIds: new Set(
      column(`
        SELECT call_id AS value FROM events
        WHERE session_id = ? AND kind = 'tool-end' AND call_id IS NOT NULL
          AND NOT (reported_by = 'batch' AND (via = 'transcript' OR outcome = 'success'))`),
    ),
    promptIds: new Map(prompts.map(({ id, count }) => [id, count])),
    endedPromptIds: new Set(
      column(`
        SELECT DISTINCT agent_prompt AS value FROM events
        WHERE session_id = ? AND kind = 'turn-end' AND agent_prompt IS NOT NULL`),
    ),
    endedSubagents: new Set(
      column(`
        SELECT DISTINCT subagent_id AS value FROM events
        WHERE session_id = ? AND kind = 'subagent-end' AND subagent_id IS NOT NULL`),
    ),
    compactions: column("SELECT at AS value FROM events WHERE session_id = ? AND kind = 'compact-end'").map(
      Number,
    ),
  };
}
