import type { Redacted } from '../../model/redacted.ts';
import { HANDOFF_TRANSITIONS, type Handoff, type HandoffState } from '../../model/work.ts';
import type { HandoffQuery, NewHandoff } from '../types/work.ts';
import { type Database, inTransaction } from './open.ts';
import type { WithJson } from './rows.ts';
import { touchWorkItem } from './work-items.ts';

const HANDOFF = `
  SELECT h.id, h.work_id AS workId, h.number, h.state, h.parts, h.tasks, h.plan, h.git, h.written_by AS "by",
    h.agent_session AS agentSession, h.given_to AS givenTo, h.at, h.taken_at AS takenAt,
    h.to_member AS "to", (SELECT nullif(t.author, (SELECT member FROM team)) FROM team_items t
      WHERE t.what = 'handoff' AND t.row_id = h.id) AS "from"
  FROM handoffs h JOIN works w ON w.id = h.work_id JOIN project_roots r ON r.id = w.project_id`;

export function createHandoffQueries(db: Database) {
  return {
    /** Stages a handoff, or sends it to a member; an earlier one of the same work item is discarded. */
    addHandoff: (handoff: Redacted<NewHandoff>): Handoff => inTransaction(db, () => addHandoff(db, handoff)),
    listHandoffs: (query: HandoffQuery): Handoff[] => listHandoffs(db, query),
    /** Handoffs sent to this member that none of their machines has claimed yet, with their uuids. */
    listSentHandoffs: (projectId: number): { handoff: Handoff; item: string }[] => {
      const rows = db
        .prepare<{ id: number; item: string }>(`
          SELECT h.id, t.item FROM handoffs h JOIN team_items t ON t.what = 'handoff' AND t.row_id = h.id
          WHERE h.state = 'sent' AND t.project_id = ? AND t.author IS NOT NULL AND h.to_member = (SELECT member FROM team)`)
        .all(projectId);
      return rows.map(({ id, item }) => ({ handoff: requireHandoff(db, id), item }));
    },
    getHandoff: (id: number): Handoff | null => selectHandoffs(db, 'h.id = ?', id)[0] ?? null,
    /** A staged handoff is given to one session only. @returns whether this session has it. */
    giveHandoff: (id: number, agentSession: Redacted, at: number): boolean =>
      inTransaction(db, () => giveHandoff(db, id, agentSession, at)),
    /** @returns whether it has the state now. A discarded handoff stays discarded, and a taken one can only be returned. */
    setHandoffState: (id: number, state: HandoffState, at: number): boolean =>
      inTransaction(db, () => setHandoffState(db, id, state, at)),
    /** Restages handoffs that were given to a session but not taken. */
    restageHandoffs: (agentSession: string, at: number): void =>
      inTransaction(db, () =>
        restage(db, selectHandoffs(db, "h.state = 'given' AND h.given_to = ?", agentSession), at),
      ),
    /** For a session that leaves the work item: stages its handoffs again, including those that it took. */
    returnHandoffs: (agentSession: string, workId: number, at: number): void =>
      inTransaction(db, () => {
        const own = "h.work_id = ? AND h.state IN ('given', 'taken') AND h.given_to = ?";
        restage(db, selectHandoffs(db, own, workId, agentSession), at);
      }),
  };
}

function addHandoff(db: Database, handoff: NewHandoff): Handoff {
  const { workId, parts, tasks, plan, git, by, agentSession, at, to = null } = handoff;
  const state: HandoffState = to === null ? 'staged' : 'sent';
  db.prepare(
    "UPDATE handoffs SET state = 'discarded' WHERE work_id = ? AND state = ? AND to_member IS ?",
  ).run(workId, state, to);
  const added = db
    .prepare(`
      INSERT INTO handoffs (work_id, number, state, parts, tasks, plan, git, written_by, agent_session, at, to_member)
      SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM handoffs WHERE work_id = ?1`)
    .run(
      workId,
      state,
      JSON.stringify(parts),
      JSON.stringify(tasks),
      plan && JSON.stringify(plan),
      git && JSON.stringify(git),
      by,
      agentSession,
      at,
      to,
    );
  touchWorkItem(db, workId, at);
  return requireHandoff(db, Number(added.lastInsertRowid));
}

function listHandoffs(db: Database, { workId, projectId, states, limit }: HandoffQuery): Handoff[] {
  return selectHandoffs(
    db,
    `(?1 IS NULL OR h.work_id = ?1) AND (?2 IS NULL OR r.root = ?2)
      AND (?3 IS NULL OR h.state IN (SELECT value FROM json_each(?3)))
      ORDER BY h.at DESC, h.id DESC LIMIT ?4`,
    workId ?? null,
    projectId ?? null,
    states ? JSON.stringify(states) : null,
    limit,
  );
}

function giveHandoff(db: Database, id: number, agentSession: string, at: number): boolean {
  const { workId, state, givenTo } = requireHandoff(db, id);
  if (state === 'given') return givenTo === agentSession;
  if (!HANDOFF_TRANSITIONS[state].includes('given')) return false;
  db.prepare("UPDATE handoffs SET state = 'given', given_to = ? WHERE id = ?").run(agentSession, id);
  touchWorkItem(db, workId, at);
  return true;
}

function setHandoffState(db: Database, id: number, state: HandoffState, at: number): boolean {
  const handoff = requireHandoff(db, id);
  if (handoff.state === state) return true;
  if (!HANDOFF_TRANSITIONS[handoff.state].includes(state)) return false;
  db.prepare('UPDATE handoffs SET state = ?, given_to = ?, taken_at = ? WHERE id = ?').run(
    state,
    state === 'staged' ? null : handoff.givenTo,
    state === 'taken' ? at : handoff.takenAt,
    id,
  );
  touchWorkItem(db, handoff.workId, at);
  return true;
}

function restage(db: Database, handoffs: Handoff[], at: number): void {
  for (const handoff of handoffs) {
    setHandoffState(db, handoff.id, 'staged', at);
    if (isReplaced(db, handoff)) setHandoffState(db, handoff.id, 'discarded', at);
  }
}

/** Whether a newer handoff exists for the same work item. */
function isReplaced(db: Database, { workId, number }: Handoff): boolean {
  return selectHandoffs(db, 'h.work_id = ? AND h.number > ?', workId, number).length > 0;
}

export function selectHandoffs(
  db: Database,
  where: string,
  ...values: (string | number | null)[]
): Handoff[] {
  const rows = db
    .prepare<WithJson<Handoff, 'parts' | 'tasks' | 'plan' | 'git'>>(`${HANDOFF} WHERE ${where}`)
    .all(...values);
  return rows.map((stored) => ({
    ...stored,
    parts: JSON.parse(stored.parts),
    tasks: JSON.parse(stored.tasks),
    plan: stored.plan === null ? null : JSON.parse(stored.plan),
    git: stored.git === null ? null : JSON.parse(stored.git),
  }));
}

function requireHandoff(db: Database, id: number): Handoff {
  const [handoff] = selectHandoffs(db, 'h.id = ?', id);
  if (!handoff) throw new Error(`There is no handoff with the number ${id}.`);
  return handoff;
}
