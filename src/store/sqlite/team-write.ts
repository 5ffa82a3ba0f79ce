import type { Redacted } from '../../model/redacted.ts';
import type {
  SharedHandoff,
  SharedKind,
  SharedMemory,
  SharedPlan,
  SharedState,
  SharedTask,
  SharedText,
  SharedWorkItem,
} from '../types/team.ts';
import { removeMemory } from './forget-memories.ts';
import { recordReplaced } from './forgotten.ts';
import { countTextTokens } from './memory-texts.ts';
import type { Database } from './open.ts';
import { type IdRow, requireRow } from './rows.ts';
import { isOutside } from './team-rows.ts';
import { findFreeName, touchWorkItem } from './work-items.ts';

/** Where a text from the team is written. */
export interface SharedTarget {
  projectId: number;
  /** Null if it is new here. */
  rowId: number | null;
  /** The number of its work item; null for memories and work items. */
  workId: number | null;
  now: number;
}

/** Writes shared items of the team into ordinary rows. */
export function createSharedWriteQueries(db: Database) {
  return {
    /** An equal row without an item of the team, as after the home left the team and joined again. */
    findUnlinkedRow: (text: SharedText, target: Pick<SharedTarget, 'projectId' | 'workId'>): number | null =>
      findUnlinked(db, text, target),
    /** @returns the number of the row. */
    writeSharedText: (text: Redacted<SharedText>, target: SharedTarget): number =>
      writeText(db, text, target),
    writeSharedPin: (memoryId: number, pinnedAt: number | null): void => {
      db.prepare('UPDATE memories SET pinned_at = ?1 WHERE id = ?2 AND pinned_at IS NOT ?1').run(
        pinnedAt,
        memoryId,
      );
    },
    writeSharedSupersession: (memoryId: number, by: number | null, now: number): void => {
      db.prepare(`
        UPDATE memories SET superseded_by = ?1, changed_at = ?2 WHERE id = ?3 AND superseded_by IS NOT ?1`).run(
        ...[by, now, memoryId],
      );
    },
    writeSharedState: (what: SharedKind, rowId: number, state: Redacted<SharedState>, now: number): void =>
      writeState(db, what, rowId, state, now),
    /** Removes only the row. Forgotten text may also be in other places. */
    removeSharedRow: (what: SharedKind, rowId: number): void => {
      if (what === 'memory') removeMemory(db, rowId);
      else db.prepare(`DELETE FROM ${TABLES[what]} WHERE id = ?`).run(rowId);
    },
  };
}

const TABLES = {
  memory: 'memories',
  'work-item': 'works',
  plan: 'plans',
  task: 'tasks',
  handoff: 'handoffs',
} as const;

/** Compares creation time and a name or number, which most edits do not change. */
function findUnlinked(
  db: Database,
  text: SharedText,
  { projectId, workId }: Pick<SharedTarget, 'projectId' | 'workId'>,
): number | null {
  const [where, ...values] = describeOrigin(text, projectId, workId);
  const row = db
    .prepare<IdRow>(`
      SELECT id FROM ${TABLES[text.what]} AS r WHERE ${where}
        AND NOT EXISTS (SELECT 1 FROM team_items WHERE what = '${text.what}' AND row_id = r.id)
      ORDER BY id LIMIT 1`)
    .get(...values);
  return row?.id ?? null;
}

function describeOrigin(
  text: SharedText,
  projectId: number,
  workId: number | null,
): [where: string, ...values: (string | number | null)[]] {
  switch (text.what) {
    case 'memory':
      return [
        `project_id = ? AND at = ? AND kind = ? AND title = ? AND scope = 'project'
          AND id NOT IN (SELECT memory_id FROM team_choices WHERE NOT is_shared)`,
        ...[projectId, text.at, text.kind, text.title],
      ];
    case 'work-item':
      return ['project_id = ? AND opened_at = ? AND name = ?', projectId, text.openedAt, text.name];
    case 'plan':
      return ['work_id = ? AND version = ? AND at = ?', workId, text.version, text.at];
    case 'task':
      return ['work_id = ? AND number = ? AND created_at = ?', workId, text.number, text.createdAt];
    case 'handoff':
      return ['work_id = ? AND number = ? AND at = ?', workId, text.number, text.at];
  }
}

function writeText(db: Database, text: SharedText, target: SharedTarget): number {
  switch (text.what) {
    case 'memory':
      return writeMemory(db, text, target);
    case 'work-item':
      return writeWorkItem(db, text, target);
    case 'plan':
      return writePlan(db, text, target);
    case 'task':
      return writeTask(db, text, target);
    case 'handoff':
      return writeHandoff(db, text, target);
  }
}

function writeMemory(db: Database, text: SharedMemory, { projectId, rowId, now }: SharedTarget): number {
  const { kind, type, title, subtitle, narrative, facts, concepts, aliases, parts } = text;
  const lists = [facts, concepts, aliases].map((list) => JSON.stringify(list));
  const columns = [
    type,
    title,
    subtitle,
    narrative,
    ...lists,
    parts && JSON.stringify(parts),
    countTextTokens(text),
  ];
  const rest = [text.branch, text.commit, text.distiller, text.saidBy, text.at, text.editedAt, now];
  if (rowId !== null) keepFromDistilling(db, rowId, title, now);
  const { id } = requireRow(
    rowId === null
      ? db
          .prepare<IdRow>(`
            INSERT INTO memories (type, title, subtitle, narrative, facts, concepts, aliases, parts, tokens, branch,
              commit_id, distiller, said_by, at, edited_at, changed_at, kind, project_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`)
          .get(...columns, ...rest, kind, projectId)
      : db
          .prepare<IdRow>(`
            UPDATE memories SET type = ?, title = ?, subtitle = ?, narrative = ?, facts = ?, concepts = ?, aliases = ?,
              parts = ?, tokens = ?, branch = ?, commit_id = ?, distiller = ?, said_by = ?, at = ?, edited_at = ?,
              changed_at = ? WHERE id = ? RETURNING id`)
          .get(...columns, ...rest, rowId),
  );
  writeFiles(db, id, text.files);
  return id;
}

/** Distilling the turn again must not restore a text that another member has replaced. */
function keepFromDistilling(db: Database, id: number, title: string, now: number): void {
  const row = db
    .prepare<{ title: string; turn: number | null }>(
      'SELECT title, turn_id AS turn FROM memories WHERE id = ?',
    )
    .get(id);
  if (row && row.turn !== null && row.title !== title) recordReplaced(db, row.turn, row.title, now);
}

/** Paths outside the checkout stay: they are never sent. */
function writeFiles(db: Database, memoryId: number, files: SharedMemory['files']): void {
  const known = db
    .prepare<{ path: string; how: string }>('SELECT path, how FROM memory_files WHERE memory_id = ?')
    .all(memoryId);
  const remove = db.prepare('DELETE FROM memory_files WHERE memory_id = ? AND path = ? AND how = ?');
  for (const { path, how } of known) if (!isOutside(path)) remove.run(memoryId, path, how);
  const add = db.prepare(
    'INSERT OR IGNORE INTO memory_files (memory_id, path, how, hash, symbols) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { path, how, hash, symbols } of files)
    if (!isOutside(path)) add.run(memoryId, path, how, hash, JSON.stringify(symbols));
}

function writeWorkItem(db: Database, text: SharedWorkItem, { projectId, rowId, now }: SharedTarget): number {
  const { name, title, branch, nextSteps, nextStepsAt, openedAt } = text;
  const free = findFreeName(db, name, rowId);
  if (rowId === null) {
    const added = db
      .prepare(`
        INSERT INTO works (name, title, mode, project_id, branch, next_steps, next_steps_at, opened_at, changed_at)
        VALUES (?, ?, 'idle', ?, ?, ?, ?, ?, ?)`)
      .run(free, title, projectId, branch, nextSteps, nextStepsAt, openedAt, now);
    return Number(added.lastInsertRowid);
  }
  db.prepare('DELETE FROM work_names WHERE name = ? AND work_id = ?').run(free, rowId);
  db.prepare(
    'INSERT OR IGNORE INTO work_names (name, work_id) SELECT name, id FROM works WHERE id = ?1 AND name <> ?2 COLLATE NOCASE',
  ).run(rowId, free);
  db.prepare(
    'UPDATE works SET name = ?, title = ?, branch = ?, next_steps = ?, next_steps_at = ? WHERE id = ?',
  ).run(free, title, branch, nextSteps, nextStepsAt, rowId);
  touchWorkItem(db, rowId, now);
  return rowId;
}

function writePlan(db: Database, text: SharedPlan, target: SharedTarget): number {
  if (target.rowId === null)
    return addNumbered(db, 'plans', 'version', text.version, target, {
      state: 'proposed',
      text: text.text,
      hash: '',
      at: text.at,
    });
  db.prepare("UPDATE plans SET text = ?, hash = '' WHERE id = ?").run(text.text, target.rowId);
  return touched(db, target, target.rowId);
}

function writeTask(db: Database, text: SharedTask, target: SharedTarget): number {
  const { subject, description, source, createdAt } = text;
  if (target.rowId === null)
    return addNumbered(db, 'tasks', 'number', text.number, target, {
      ...{ subject, description, state: 'open', source },
      created_at: createdAt,
      changed_at: target.now,
    });
  db.prepare('UPDATE tasks SET subject = ?, description = ?, changed_at = ? WHERE id = ?').run(
    ...[subject, description, target.now, target.rowId],
  );
  return touched(db, target, target.rowId);
}

function writeHandoff(db: Database, text: SharedHandoff, target: SharedTarget): number {
  const parts = JSON.stringify(text.parts);
  const tasks = JSON.stringify(text.tasks);
  const plan = text.plan && JSON.stringify(text.plan);
  if (target.rowId === null)
    return addNumbered(db, 'handoffs', 'number', text.number, target, {
      ...{ state: 'sent', parts, tasks, plan, git: text.git && JSON.stringify(text.git) },
      ...{ written_by: text.by, at: text.at, to_member: text.to },
    });
  db.prepare('UPDATE handoffs SET parts = ?, tasks = ?, plan = ? WHERE id = ?').run(
    parts,
    tasks,
    plan,
    target.rowId,
  );
  return touched(db, target, target.rowId);
}

/** Adds a row under the number it has elsewhere, or under the next free one if that is taken here. */
function addNumbered(
  db: Database,
  table: string,
  numberColumn: string,
  number: number,
  target: SharedTarget,
  columns: Record<string, string | number | null>,
): number {
  const names = Object.keys(columns);
  const { id } = requireRow(
    db
      .prepare<IdRow>(`
        INSERT INTO ${table} (work_id, ${numberColumn}, ${names.join(', ')})
        SELECT ?1, CASE WHEN EXISTS (SELECT 1 FROM ${table} WHERE work_id = ?1 AND ${numberColumn} = ?2)
          THEN (SELECT max(${numberColumn}) + 1 FROM ${table} WHERE work_id = ?1) ELSE ?2 END,
          ${names.map((_, index) => `?${index + 3}`).join(', ')} RETURNING id`)
      .get(target.workId, number, ...Object.values(columns)),
  );
  return touched(db, target, id);
}

function touched(db: Database, { workId, now }: SharedTarget, id: number): number {
  if (workId !== null) touchWorkItem(db, workId, now);
  return id;
}

function writeState(db: Database, what: SharedKind, rowId: number, state: SharedState, now: number): void {
  if ('isWithdrawn' in state) return;
  if ('closedAt' in state)
    db.prepare(
      "UPDATE works SET closed_at = ?1, mode = CASE WHEN ?1 IS NULL THEN mode ELSE 'idle' END WHERE id = ?2",
    ).run(state.closedAt, rowId);
  else if ('plan' in state)
    db.prepare('UPDATE plans SET state = ?, decided_at = ? WHERE id = ?').run(
      state.plan,
      state.decidedAt,
      rowId,
    );
  else if ('task' in state)
    db.prepare('UPDATE tasks SET state = ?, changed_at = ? WHERE id = ?').run(state.task, now, rowId);
  // Only if taken or discarded: a handoff given to a session here stays with it.
  else if (state.handoff === 'staged')
    db.prepare("UPDATE handoffs SET state = 'sent' WHERE id = ? AND state IN ('taken', 'discarded')").run(
      rowId,
    );
  else
    db.prepare('UPDATE handoffs SET state = ?, taken_at = ? WHERE id = ?').run(
      state.handoff,
      state.takenAt,
      rowId,
    );
  const work = what === 'work-item' ? rowId : workOf(db, what, rowId);
  if (work !== null) touchWorkItem(db, work, now);
}

function workOf(db: Database, what: SharedKind, rowId: number): number | null {
  if (what === 'memory' || what === 'work-item') return null;
  return db.prepare<IdRow>(`SELECT work_id AS id FROM ${TABLES[what]} WHERE id = ?`).get(rowId)?.id ?? null;
}
