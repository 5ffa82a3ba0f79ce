import type { Redacted } from '../../model/redacted.ts';
import { type GitSnapshot, PENDING_HANDOFF_STATES, type WorkItem, type WorkNote } from '../../model/work.ts';
import type { Mirror, NewWorkItem, PendingSnapshot, WorkItemChange, WorkItemQuery } from '../types/work.ts';
import { type Database, inTransaction } from './open.ts';
import { requireRow, type WithJson } from './rows.ts';

const WORK = `
  SELECT w.id, w.name, w.title, w.mode, r.root AS projectId, coalesce(p.alias, p.name) AS project, w.branch, w.worktree,
    w.next_steps AS nextSteps, w.next_steps_at AS nextStepsAt, w.opened_at AS openedAt, w.changed_at AS changedAt, w.closed_at AS closedAt
  FROM works w JOIN project_roots r ON r.id = w.project_id JOIN projects p ON p.id = r.root`;

export function createWorkItemQueries(db: Database) {
  return {
    /** Adds a number to the name if it is taken. */
    addWorkItem: (work: Redacted<NewWorkItem>): WorkItem => inTransaction(db, () => addWorkItem(db, work)),
    getWorkItem: (id: number): WorkItem | null => selectWorkItem(db, 'w.id = ?', id),
    /** By its current or a former name. */
    findWorkItem: (name: string): WorkItem | null =>
      selectWorkItem(db, 'w.name = ?', name) ??
      selectWorkItem(db, 'w.id = (SELECT work_id FROM work_names WHERE name = ?)', name),
    /** Last changed first. */
    listWorkItems: (query: WorkItemQuery): WorkItem[] => listWorkItems(db, query),
    /** @returns the changed work item. Former names still find it. */
    changeWorkItem: (id: number, change: Redacted<WorkItemChange>, at: number): WorkItem =>
      inTransaction(db, () => changeWorkItem(db, id, change, at)),
    addWorkNote: (workId: number, text: Redacted, at: number): WorkNote =>
      inTransaction(db, () => {
        const note = requireRow(
          db
            .prepare<WorkNote>(
              'INSERT INTO work_notes (work_id, text, at) VALUES (?, ?, ?) RETURNING id, text, at',
            )
            .get(workId, text, at),
        );
        touchWorkItem(db, workId, at);
        return { ...note };
      }),
    listWorkNotes(workId: number): WorkNote[] {
      const rows = db
        .prepare<WorkNote>('SELECT id, text, at FROM work_notes WHERE work_id = ? ORDER BY id')
        .all(workId);
      return rows.map((row) => ({ ...row }));
    },
    saveGitState({ workId, agentSession, moment, folder, state, at }: Redacted<GitSnapshot>): void {
      db.prepare(`
        INSERT INTO git_states (work_id, agent_session, moment, folder, state, at)
        VALUES (?, ?, ?, ?, ?, ?)`).run(workId, agentSession, moment, folder, JSON.stringify(state), at);
    },
    /** Latest first. States of unbound sessions count: git is read at the start, before a prompt selects the work item. */
    listGitStates(workId: number, limit: number): GitSnapshot[] {
      const rows = db
        .prepare<WithJson<GitSnapshot, 'state'>>(`
          SELECT moment, agent_session AS agentSession, ?1 AS workId, folder, state, at FROM git_states
          WHERE work_id = ?1 OR (work_id IS NULL
            AND agent_session IN (SELECT agent_session FROM work_sessions WHERE work_id = ?1))
          ORDER BY at DESC, id DESC LIMIT ?2`)
        .all(workId, limit);
      return rows.map((row) => ({ ...row, state: JSON.parse(row.state) }));
    },
    /** Sessions that started, were compacted or ended since then, without a recorded git state. */
    listDueSnapshots(since: number): PendingSnapshot[] {
      const due = (moment: string, time: string) => `
        SELECT s.agent_session AS agentSession, coalesce(s.worktree, s.folder) AS folder, '${moment}' AS moment,
          (SELECT work_id FROM work_sessions w WHERE w.agent_session = s.agent_session ORDER BY id DESC LIMIT 1)
            AS workId
        FROM sessions s
        WHERE ${time} >= ?1 AND coalesce(s.worktree, s.folder) IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM git_states g
          WHERE g.agent_session = s.agent_session AND g.moment = '${moment}' AND g.at >= ${time})`;
      const compactedAt = `(SELECT max(at) FROM events WHERE session_id = s.id AND kind = 'compact-start')`;
      const rows = db
        .prepare<PendingSnapshot>(
          [due('start', 's.started_at'), due('compact', compactedAt), due('end', 's.ended_at')].join(
            ' UNION ALL ',
          ),
        )
        .all(since);
      return rows.map((row) => ({ ...row }));
    },
    /** Work items that have changed since their state file was written, or that have none. */
    listWorkItemsToMirror(limit: number): { work: WorkItem; mirror: Mirror | null }[] {
      const rows = selectWorkItems(
        db,
        'w.mirrored_change IS NULL OR w.mirrored_change <> w.changed_at ORDER BY w.changed_at, w.id LIMIT ?',
        limit,
      );
      return rows.map((work) => ({ work, mirror: getMirror(db, work.id) }));
    },
    getMirror: (workId: number): Mirror | null => getMirror(db, workId),
    saveMirror(workId: number, { changedAt, hash }: Mirror): void {
      db.prepare('UPDATE works SET mirrored_change = ?, mirrored_hash = ? WHERE id = ?').run(
        changedAt,
        hash,
        workId,
      );
    },
  };
}

export function selectWorkItem(db: Database, where: string, ...values: (string | number)[]): WorkItem | null {
  return selectWorkItems(db, where, ...values)[0] ?? null;
}

/** Always sets a later time than before, even within a millisecond, because the mirror compares times. */
export function touchWorkItem(db: Database, id: number, at: number): void {
  db.prepare('UPDATE works SET changed_at = max(?, changed_at + 1) WHERE id = ?').run(at, id);
}

function selectWorkItems(db: Database, where: string, ...values: (string | number)[]): WorkItem[] {
  const rows = db.prepare<WorkItem>(`${WORK} WHERE ${where}`).all(...values);
  return rows.map((row) => ({ ...row }));
}

function addWorkItem(db: Database, { name, title, projectId, branch, worktree, at }: NewWorkItem): WorkItem {
  const added = db
    .prepare(`
      INSERT INTO works (name, title, mode, project_id, branch, worktree, opened_at, changed_at)
      VALUES (?, ?, 'idle', ?, ?, ?, ?, ?)`)
    .run(findFreeName(db, name, null), title, projectId, branch, worktree, at, at);
  return requireWorkItem(db, Number(added.lastInsertRowid));
}

function listWorkItems(
  db: Database,
  { projectId, withClosed = false, withTeam = false, modes, left, limit }: WorkItemQuery,
): WorkItem[] {
  const conditions = [
    'TRUE',
    projectId !== undefined && 'r.root = ?',
    !withClosed && 'w.closed_at IS NULL',
    !withTeam && OWN,
    modes && 'w.mode IN (SELECT value FROM json_each(?))',
    left && LEFT[left],
  ].filter((condition) => typeof condition === 'string');
  const values = [
    ...(projectId === undefined ? [] : [projectId]),
    ...(modes ? [JSON.stringify(modes)] : []),
    limit,
  ];
  return selectWorkItems(
    db,
    `${conditions.join(' AND ')} ORDER BY w.changed_at DESC, w.id DESC LIMIT ?`,
    ...values,
  );
}

const PENDING_STATES = PENDING_HANDOFF_STATES.map((state) => `'${state}'`).join(', ');
/** Excludes work items of colleagues unless handed to this member. Those from other machines of the member are own. */
const OWN = `(NOT EXISTS (
    SELECT 1 FROM team_items t WHERE t.what = 'work-item' AND t.row_id = w.id AND t.author <> (SELECT member FROM team))
  OR EXISTS (SELECT 1 FROM handoffs WHERE work_id = w.id AND state IN (${PENDING_STATES}))
  OR EXISTS (SELECT 1 FROM work_sessions WHERE work_id = w.id))`;
const OPEN_TASKS = "EXISTS (SELECT 1 FROM tasks WHERE work_id = w.id AND state IN ('open', 'doing'))";
const LEFT = {
  tasks: OPEN_TASKS,
  anything: `(w.next_steps <> '' OR ${OPEN_TASKS}
    OR EXISTS (SELECT 1 FROM plans WHERE work_id = w.id AND state = 'accepted')
    OR EXISTS (SELECT 1 FROM handoffs WHERE work_id = w.id AND state IN (${PENDING_STATES})))`,
};

const COLUMNS = {
  name: 'name',
  title: 'title',
  mode: 'mode',
  branch: 'branch',
  worktree: 'worktree',
  nextSteps: 'next_steps',
  nextStepsAt: 'next_steps_at',
  closedAt: 'closed_at',
} satisfies Record<keyof WorkItemChange, string>;

/** Writes nothing if the values are the same. */
function changeWorkItem(db: Database, id: number, change: WorkItemChange, at: number): WorkItem {
  const work = requireWorkItem(db, id);
  const name =
    change.name === undefined || change.name === work.name
      ? work.name
      : renameWorkItem(db, work, change.name);
  const wanted = { ...change, name };
  const changed = (Object.keys(COLUMNS) as (keyof WorkItemChange)[]).filter(
    (key) => wanted[key] !== undefined && wanted[key] !== work[key],
  );
  for (const key of changed)
    db.prepare(`UPDATE works SET ${COLUMNS[key]} = ? WHERE id = ?`).run(wanted[key] ?? null, id);
  if (changed.length > 0) touchWorkItem(db, id, at);
  return requireWorkItem(db, id);
}

/** @returns its new name, which may be one of its former names. */
function renameWorkItem(db: Database, { id, name: old }: WorkItem, wanted: string): string {
  const name = findFreeName(db, wanted, id);
  db.prepare('DELETE FROM work_names WHERE name = ?').run(name);
  db.prepare(
    'INSERT OR IGNORE INTO work_names (name, work_id) SELECT ?1, ?2 WHERE ?1 <> ?3 COLLATE NOCASE',
  ).run(old, id, name);
  return name;
}

export function findFreeName(db: Database, wanted: string, owner: number | null): string {
  const isTaken = db.prepare(`
    SELECT 1 FROM works WHERE name = ?1 AND id IS NOT ?2
    UNION ALL SELECT 1 FROM work_names WHERE name = ?1 AND work_id IS NOT ?2`);
  let name = wanted;
  for (let number = 2; isTaken.get(name, owner) !== undefined; number++) name = `${wanted}-${number}`;
  return name;
}

function requireWorkItem(db: Database, id: number): WorkItem {
  const work = selectWorkItem(db, 'w.id = ?', id);
  if (!work) throw new Error(`There is no work item ${id}.`);
  return work;
}

function getMirror(db: Database, workId: number): Mirror | null {
  const row = db
    .prepare<Mirror>(`
      SELECT mirrored_change AS changedAt, mirrored_hash AS hash FROM works
      WHERE id = ? AND mirrored_change IS NOT NULL`)
    .get(workId);
  return row ? { ...row } : null;
}
