import type { Place } from '../../model/project.ts';
import type { Glance, RememberedFile, WorkGlance } from '../glance.ts';
import { type Database, openReadOnly } from './open.ts';
import { projectIdsAt } from './projects.ts';
import { withStoreErrors } from './trouble.ts';

/** As far as a look back goes. */
const MOST_MEMORIES = 500;
const MOST_TOUCHES = 500;

export function openGlance(path: string, busyMs: number): Glance {
  const db = withStoreErrors(() => openReadOnly(path, busyMs));
  return {
    memories: (place) => withStoreErrors(() => countMemories(db, place)),
    work: (agentSession) => withStoreErrors(() => workOf(db, agentSession)),
    files: (place, agentSession) => withStoreErrors(() => filesOf(db, place, agentSession)),
    close: () => db.close(),
  };
}

function countMemories(db: Database, place: Place): number {
  const row = db
    .prepare('SELECT count(*) AS count FROM memories WHERE project_id IN (SELECT value FROM json_each(?))')
    .get(JSON.stringify(projectIdsAt(db, place)));
  return Number((row as { count: number }).count);
}

function workOf(db: Database, agentSession: string): WorkGlance | null {
  if (!hasWorks(db)) return null;
  const row = db
    .prepare(`
      SELECT w.name,
        (SELECT count(*) FROM tasks WHERE work_id = w.id AND state = 'done') AS done,
        (SELECT count(*) FROM tasks WHERE work_id = w.id AND state <> 'dropped') AS tasks
      FROM works w WHERE w.id =
        (SELECT work_id FROM work_sessions WHERE agent_session = ? ORDER BY id DESC LIMIT 1)`)
    .get(agentSession);
  return (row as WorkGlance | undefined) ?? null;
}

function filesOf(db: Database, place: Place, agentSession: string): RememberedFile[] {
  const remembered = latestOf(projectIdsAt(db, place), db);
  const touched = db
    .prepare(`
      SELECT path, sum(how = 'write') AS changes, max(at) AS at, 1 AS isOfWork
      FROM (
        SELECT f.path, f.how, e.at FROM events e JOIN event_files f ON f.event_id = e.id
        WHERE e.session_id IN (SELECT id FROM sessions WHERE agent_session IN (${sessionsAtWork(db)}))
        ORDER BY e.at DESC LIMIT ${MOST_TOUCHES}
      )
      GROUP BY path`)
    .all({ agentSession });
  return [...touched, ...remembered].map((row) => {
    const file = row as Omit<RememberedFile, 'isOfWork'> & { isOfWork: number };
    return { ...file, isOfWork: file.isOfWork === 1 };
  });
}

/** Each project by itself: of several at once all memories would be read to find the latest. */
function latestOf(projectIds: number[], db: Database): unknown[] {
  if (projectIds.length === 0) return [];
  const latest = projectIds.map(
    () =>
      `SELECT * FROM (SELECT id, at FROM memories WHERE project_id = ? ORDER BY at DESC LIMIT ${MOST_MEMORIES})`,
  );
  return db
    .prepare(`
      SELECT f.path, sum(f.how = 'write') AS changes, max(m.at) AS at, 0 AS isOfWork
      FROM (${latest.join(' UNION ALL ')} ORDER BY at DESC LIMIT ${MOST_MEMORIES}) m
      JOIN memory_files f ON f.memory_id = m.id
      GROUP BY f.path`)
    .all(...projectIds);
}

/** This session, and those that belong to the same work. */
function sessionsAtWork(db: Database): string {
  if (!hasWorks(db)) return 'SELECT $agentSession';
  return `
    SELECT $agentSession UNION SELECT agent_session FROM work_sessions WHERE work_id =
      (SELECT work_id FROM work_sessions WHERE agent_session = $agentSession ORDER BY id DESC LIMIT 1)`;
}

function hasWorks(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'work_sessions'").get() !== undefined;
}
