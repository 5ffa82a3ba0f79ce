import type { PortableProject } from '../types/port.ts';
import type { Database } from './open.ts';
import type { IdRow } from './rows.ts';

/** Two projects that only share a name stay separate: merging them is one command, separating them is impossible. */
export function projectFor(
  db: Database,
  project: PortableProject,
  { apartFrom = [], now }: { apartFrom?: number[]; now?: number },
): number | null {
  const known = lookUp(db, project, apartFrom);
  if (now === undefined) return known;
  const id = known ?? addProject(db, project, now);
  if (project.path !== undefined && project.remote === undefined)
    db.prepare('INSERT OR IGNORE INTO project_places (path, project_id) VALUES (?, ?)').run(project.path, id);
  return id;
}

function lookUp(db: Database, { name, remote, path }: PortableProject, apartFrom: number[]): number | null {
  if (remote !== undefined)
    return findOneId(db, 'SELECT id FROM projects WHERE remote = ? ORDER BY id', remote);
  const here =
    path === undefined
      ? null
      : findOneId(db, 'SELECT project_id AS id FROM project_places WHERE path = ? AND remote IS NULL', path);
  if (here !== null) return here;
  const named = db
    .prepare<IdRow>(`
      SELECT id FROM projects
      WHERE merged_into IS NULL AND remote IS NULL AND coalesce(alias, name) = ?
        AND id NOT IN (SELECT value FROM json_each(?))`)
    .all(name, JSON.stringify(apartFrom));
  return named.length === 1 ? (named[0]?.id ?? null) : null;
}

function findOneId(db: Database, sql: string, value: string): number | null {
  return db.prepare<IdRow>(sql).get(value)?.id ?? null;
}

function addProject(db: Database, { name, remote }: PortableProject, now: number): number {
  const added = db
    .prepare('INSERT INTO projects (name, remote, created_at) VALUES (?, ?, ?)')
    .run(name, remote ?? null, now);
  return Number(added.lastInsertRowid);
}
