import type { BoundBy, WorkSession } from '../../model/work.ts';
import type { WorkSessionStore } from '../continuity-store.ts';
import { memoryRows } from './memories.ts';
import { type Database, inTransaction } from './open.ts';
import { touchWork, workWhere } from './works.ts';

const LAST_BOND = 'SELECT work_id FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1';
const BELONGS =
  'b.work_id = ? AND b.id = (SELECT max(id) FROM work_sessions WHERE agent_session = b.agent_session)';

/** When a memory was made its session belonged to a work; what is older than the first bond counts to that one. */
const TAUGHT = `
  m.session_id IN (
    SELECT s.id FROM work_sessions w JOIN sessions s ON s.agent_session = w.agent_session WHERE w.work_id = ?1)
  AND m.superseded_by IS NULL
  AND ?1 = (
    SELECT w.work_id FROM work_sessions w JOIN sessions s ON s.agent_session = w.agent_session
    WHERE s.id = m.session_id
    ORDER BY w.at <= m.at DESC, CASE WHEN w.at <= m.at THEN -w.id ELSE w.id END LIMIT 1)`;
const LATEST = 'ORDER BY m.at DESC, m.id DESC LIMIT ?2';

export function workSessionsOf(db: Database): WorkSessionStore {
  return {
    workOfSession: (agentSession) => workWhere(db, `w.id = (${LAST_BOND})`, agentSession),
    bindSession: ({ agent, agentSession, workId, by, at }) =>
      inTransaction(db, () => {
        const last = db.prepare(LAST_BOND).get(agentSession) as { work_id: number } | undefined;
        if (last?.work_id === workId) return;
        db.prepare(`
          INSERT INTO work_sessions (work_id, agent, agent_session, bound_by, at) VALUES (?, ?, ?, ?, ?)`).run(
          workId,
          agent,
          agentSession,
          by,
          at,
        );
        touchWork(db, workId, at);
        if (last) touchWork(db, last.work_id, at);
      }),
    noteTold(agentSession, workId, at) {
      db.prepare(`
        INSERT INTO told_works (agent_session, work_id, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at`).run(agentSession, workId, at);
    },
    wasTold: (agentSession, workId, since) =>
      db
        .prepare('SELECT 1 FROM told_works WHERE agent_session = ? AND work_id = ? AND at >= ?')
        .get(agentSession, workId, since) !== undefined,
    boundBy(agentSession) {
      const row = db
        .prepare(
          'SELECT bound_by AS "by" FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1',
        )
        .get(agentSession);
      return (row as { by: BoundBy } | undefined)?.by ?? null;
    },
    hasOpenSession: (workId, { besides = '', after = 0 } = {}) =>
      db
        .prepare(`
          SELECT 1 FROM work_sessions b
          LEFT JOIN sessions s ON s.agent = b.agent AND s.agent_session = b.agent_session
          WHERE ${BELONGS} AND s.ended_at IS NULL AND coalesce(s.last_seen, b.at) > ? AND b.agent_session <> ?
          LIMIT 1`)
        .get(workId, after, besides) !== undefined,
    sessionsOfWork(workId) {
      const rows = db
        .prepare(`
          SELECT b.agent, b.agent_session AS agentSession, b.bound_by AS "by", b.at AS boundAt,
            s.last_seen AS lastSeen, s.ended_at AS endedAt
          FROM work_sessions b
          LEFT JOIN sessions s ON s.agent = b.agent AND s.agent_session = b.agent_session
          WHERE ${BELONGS}
          ORDER BY b.id DESC`)
        .all(workId);
      return rows.map((row) => ({ ...(row as unknown as WorkSession) }));
    },
    memoriesOfWork: (workId, limit) => memoryRows(db, `${TAUGHT} ${LATEST}`, workId, limit),
    titlesOfWork(workId, { type = null, limit }: { type?: string | null; limit: number }) {
      const rows = db
        .prepare(
          `SELECT m.id, m.title FROM memories m WHERE ${TAUGHT} AND (?3 IS NULL OR m.type = ?3) ${LATEST}`,
        )
        .all(workId, limit, type);
      return rows.map((row) => ({ ...(row as { id: number; title: string }) }));
    },
  };
}
