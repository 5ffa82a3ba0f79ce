import type { Place } from '../../model/project.ts';
import { type Database, openReadOnly } from '../../platform/sqlite.ts';
import type { RememberedFile, WorkItemStatus } from '../types/quick-reader.ts';
import { withStoreErrors } from './convert-errors.ts';
import { projectIdsAt } from './projects.ts';
import { countRows, type WithFlags } from './rows.ts';

/** Files are collected from this many of the latest memories and events. */
const MOST_MEMORIES = 500;
const MOST_TOUCHES = 500;

/**
 * Queries that run in every turn and at every keystroke. The database is not migrated, and tables that
 * it lacks count as empty.
 */
export function openQuickReader(path: string, busyMs: number) {
  const db = withStoreErrors(() => openReadOnly(path, busyMs));
  return {
    countMemories: (place: Place) => withStoreErrors(() => countMemories(db, place)),
    findWorkItem: (agentSession: string) => withStoreErrors(() => workOf(db, agentSession)),
    listFiles: (place: Place, agentSession: string) =>
      withStoreErrors(() => filesOf(db, place, agentSession)),
    close: () => db.close(),
  };
}

function countMemories(db: Database, place: Place): number {
  const ids = JSON.stringify(projectIdsAt(db, place));
  return countRows(db, 'memories WHERE project_id IN (SELECT value FROM json_each(?))', ids);
}

function workOf(db: Database, agentSession: string): WorkItemStatus | null {
  if (!hasWorks(db)) return null;
  const row = db
    .prepare<WorkItemStatus>(`
      SELECT w.name,
        (SELECT count(*) FROM tasks WHERE work_id = w.id AND state = 'done') AS done,
        (SELECT count(*) FROM tasks WHERE work_id = w.id AND state <> 'dropped') AS tasks
      FROM works w WHERE w.id =
        (SELECT work_id FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1)`)
    .get(agentSession);
  return row ?? null;
}

type FileRow = WithFlags<RememberedFile, 'isOfWork'>;

function filesOf(db: Database, place: Place, agentSession: string): RememberedFile[] {
  const remembered = latestOf(projectIdsAt(db, place), db);
  const touched = db
    .prepare<FileRow>(`
      SELECT path, sum(how = 'write') AS changes, max(at) AS at, 1 AS isOfWork
      FROM (
        SELECT f.path, f.how, e.at FROM events e JOIN event_files f ON f.event_id = e.id
        WHERE e.session_id IN (SELECT id FROM sessions WHERE agent_session IN (${sessionsAtWork(db)}))
        ORDER BY e.at DESC LIMIT ${MOST_TOUCHES}
      )
      GROUP BY path`)
    .all({ agentSession });
  return [...touched, ...remembered].map((file) => ({ ...file, isOfWork: file.isOfWork === 1 }));
}

/** One query per project: a single query over several projects would read all memories to find the latest. */
function latestOf(projectIds: number[], db: Database): FileRow[] {
  if (projectIds.length === 0) return [];
  const latest = projectIds.map(
    () =>
      `SELECT * FROM (SELECT id, at FROM memories WHERE project_id = ? ORDER BY at DESC LIMIT ${MOST_MEMORIES})`,
  );
  return db
    .prepare<FileRow>(`
      SELECT f.path, sum(f.how = 'write') AS changes, max(m.at) AS at, 0 AS isOfWork
      FROM (${latest.join(' UNION ALL ')} ORDER BY at DESC LIMIT ${MOST_MEMORIES}) m
      JOIN memory_files f ON f.memory_id = m.id
      GROUP BY f.path`)
    .all(...projectIds);
}

/** This session and all sessions of its work item. */
function sessionsAtWork(db: Database): string {
  if (!hasWorks(db)) return 'SELECT $agentSession';
  return `
    SELECT $agentSession UNION SELECT agent_session FROM work_sessions WHERE work_id =
      (SELECT work_id FROM work_sessions WHERE agent_session = $agentSession ORDER BY id DESC LIMIT 1)`;
}

function hasWorks(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'work_sessions'").get() !== undefined;
}
