import type { ObservationType } from '../../model/memory.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { BoundBy, WorkItem, WorkSession } from '../../model/work.ts';
import type { StoredMemory } from '../types/memory.ts';
import type { NewBinding, OpenSessionQuery } from '../types/work.ts';
import { selectMemories } from './memories.ts';
import { type Database, inTransaction } from './open.ts';
import type { IdRow } from './rows.ts';
import { selectWorkItem, touchWorkItem } from './work-items.ts';

/** Marks that a session left the work item. It then belongs to none and does not rejoin this one automatically. */
const LEFT = 'left';
const BOUND_TO = `CASE WHEN bound_by <> '${LEFT}' THEN work_id END`;
const LAST_BOND = `SELECT ${BOUND_TO} AS work_id FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1`;
const BELONGS = `b.work_id = ? AND b.bound_by <> '${LEFT}'
  AND b.id = (SELECT max(id) FROM work_sessions WHERE agent_session = b.agent_session)`;

/** A memory belongs to the work item of its session at its time; memories before the first binding belong to that one. */
const TAUGHT = `
  m.session_id IN (
    SELECT s.id FROM work_sessions w JOIN sessions s ON s.agent_session = w.agent_session WHERE w.work_id = ?1)
  AND m.superseded_by IS NULL
  AND ?1 = (
    SELECT ${BOUND_TO} FROM work_sessions w JOIN sessions s ON s.agent_session = w.agent_session
    WHERE s.id = m.session_id
    ORDER BY w.at <= m.at DESC, CASE WHEN w.at <= m.at THEN -w.id ELSE w.id END LIMIT 1)`;
const LATEST = 'ORDER BY m.at DESC, m.id DESC LIMIT ?2';

export function createWorkSessionQueries(db: Database) {
  return {
    findSessionWorkItem: (agentSession: string): WorkItem | null =>
      selectWorkItem(db, `w.id = (${LAST_BOND})`, agentSession),
    bindSession: ({ agent, agentSession, workId, by, at }: Redacted<NewBinding>): void =>
      inTransaction(db, () => {
        const last = db.prepare<{ work_id: number | null }>(LAST_BOND).get(agentSession)?.work_id ?? null;
        if (last === workId) return;
        addBinding(db, { agent, agentSession, workId, by, at });
        touchWorkItem(db, workId, at);
        if (last !== null) touchWorkItem(db, last, at);
      }),
    /** The session leaves the work item, and does not join it automatically again. */
    leaveWorkItem: ({ agent, agentSession, workId, at }: Redacted<Omit<NewBinding, 'by'>>): void =>
      inTransaction(db, () => {
        addBinding(db, { agent, agentSession, workId, by: LEFT, at });
        touchWorkItem(db, workId, at);
      }),
    /** Work items that the session left and did not rejoin. */
    listLeftWorkItems(agentSession: string): Set<number> {
      const rows = db
        .prepare<IdRow>(`
          SELECT work_id AS id FROM work_sessions b WHERE agent_session = ? AND bound_by = '${LEFT}' AND id = (
            SELECT max(id) FROM work_sessions WHERE agent_session = b.agent_session AND work_id = b.work_id)`)
        .all(agentSession);
      return new Set(rows.map(({ id }) => id));
    },
    findLastShownWorkItem: (agentSession: string): WorkItem | null =>
      selectWorkItem(
        db,
        'w.id = (SELECT work_id FROM told_works WHERE agent_session = ? ORDER BY at DESC, work_id DESC LIMIT 1)',
        agentSession,
      ),
    /** Recorded because a session gets each work item only once. */
    recordWorkItemShown(agentSession: Redacted, workId: number, at: number): void {
      db.prepare(`
        INSERT INTO told_works (agent_session, work_id, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at`).run(agentSession, workId, at);
    },
    wasWorkItemShown: (agentSession: string, workId: number, since: number): boolean =>
      db
        .prepare('SELECT 1 FROM told_works WHERE agent_session = ? AND work_id = ? AND at >= ?')
        .get(agentSession, workId, since) !== undefined,
    /** When and by what a session was bound to its work item; null if it has none. */
    getBinding(agentSession: string): { by: BoundBy; at: number } | null {
      const row = db
        .prepare<{ by: BoundBy | typeof LEFT; at: number }>(
          'SELECT bound_by AS "by", at FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1',
        )
        .get(agentSession);
      return !row || row.by === LEFT ? null : { by: row.by, at: row.at };
    },
    /** Whether one of its sessions is probably still open. */
    hasOpenSession: (workId: number, { besides = '', after = 0 }: OpenSessionQuery = {}): boolean =>
      db
        .prepare(`
          SELECT 1 FROM work_sessions b
          LEFT JOIN sessions s ON s.agent = b.agent AND s.agent_session = b.agent_session
          WHERE ${BELONGS} AND s.ended_at IS NULL AND coalesce(s.last_seen, b.at) > ? AND b.agent_session <> ?
          LIMIT 1`)
        .get(workId, after, besides) !== undefined,
    /** Its current sessions, last bound first. */
    listWorkItemSessions(workId: number): WorkSession[] {
      const rows = db
        .prepare<WorkSession>(`
          SELECT b.agent, b.agent_session AS agentSession, b.bound_by AS "by", b.at AS boundAt,
            s.last_seen AS lastSeen, s.ended_at AS endedAt
          FROM work_sessions b
          LEFT JOIN sessions s ON s.agent = b.agent AND s.agent_session = b.agent_session
          WHERE ${BELONGS}
          ORDER BY b.id DESC`)
        .all(workId);
      return rows.map((row) => ({ ...row }));
    },
    /** Memories of its sessions while they were bound to it, latest first. */
    listWorkItemMemories: (workId: number, limit: number): StoredMemory[] =>
      selectMemories(db, `${TAUGHT} ${LATEST}`, workId, limit),
    /** Only titles, optionally of one type: used while an agent waits. */
    listWorkItemMemoryTitles(
      workId: number,
      { type = null, limit }: { type?: ObservationType | null; limit: number },
    ): { id: number; title: string }[] {
      const rows = db
        .prepare<{ id: number; title: string }>(
          `SELECT m.id, m.title FROM memories m WHERE ${TAUGHT} AND (?3 IS NULL OR m.type = ?3) ${LATEST}`,
        )
        .all(workId, limit, type);
      return rows.map((row) => ({ ...row }));
    },
  };
}

function addBinding(
  db: Database,
  { agent, agentSession, workId, by, at }: Omit<NewBinding, 'by'> & { by: BoundBy | typeof LEFT },
): void {
  db.prepare(`
    INSERT INTO work_sessions (work_id, agent, agent_session, bound_by, at) VALUES (?, ?, ?, ?, ?)`).run(
    workId,
    agent,
    agentSession,
    by,
    at,
  );
}
