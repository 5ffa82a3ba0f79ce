import { basename } from 'node:path';
import type { Place, Project, ProjectName } from '../../model/project.ts';
import type { Database } from './open.ts';
import type { IdRow } from './rows.ts';

/** The project of a place; created if it does not exist. */
export function findOrAddProject(db: Database, place: Place, now: number): number {
  const known = lookUp(db, place);
  const id = known ?? addProject(db, place, now);
  db.prepare(`
    INSERT INTO project_places (path, project_id, remote) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET project_id = excluded.project_id, remote = coalesce(excluded.remote, remote)
  `).run(place.path, id, place.remote ?? null);
  if (place.remote)
    db.prepare('UPDATE projects SET remote = coalesce(remote, ?) WHERE id = ?').run(place.remote, id);
  return id;
}

/**
 * By place first: a repository keeps its identity when it gets a remote. Then by remote: a second clone is the same
 * project. A known place with a changed remote is another repository now.
 */
function lookUp(db: Database, place: Place): number | null {
  const here = db
    .prepare<{ project_id: number; remote: string | null }>(
      'SELECT project_id, remote FROM project_places WHERE path = ?',
    )
    .get(place.path);
  if (here && (!place.remote || !here.remote || here.remote === place.remote)) return here.project_id;
  if (!place.remote) return null;
  const sameRemote = db
    .prepare<IdRow>('SELECT id FROM projects WHERE remote = ? ORDER BY id')
    .get(place.remote);
  return sameRemote?.id ?? null;
}

/** For a folder that does not respond: the project of the last session there, otherwise one named after its path. */
export function findProjectOfFolder(db: Database, folder: string, now: number): number {
  const known = db
    .prepare<IdRow>(
      'SELECT project_id AS id FROM sessions WHERE folder = ? AND project_id IS NOT NULL ORDER BY id DESC LIMIT 1',
    )
    .get(folder);
  return known?.id ?? findOrAddProject(db, { path: folder, name: basename(folder) || folder }, now);
}

function addProject(db: Database, place: Place, now: number): number {
  const added = db
    .prepare('INSERT INTO projects (name, remote, created_at) VALUES (?, ?, ?)')
    .run(place.name, place.remote ?? null, now);
  return Number(added.lastInsertRowid);
}

export function findProject(db: Database, place: Place): ProjectName | null {
  const id = lookUp(db, place);
  if (id === null) return null;
  const row = db
    .prepare<ProjectName>('SELECT id, coalesce(alias, name) AS name FROM projects WHERE id = ?')
    .get(rootOf(db, id));
  return row ? { ...row } : null;
}

/** The project of a place and those merged into it; empty if nothing was captured yet. */
export function projectIdsAt(db: Database, place: Place): number[] {
  const id = lookUp(db, place);
  if (id === null) return [];
  const rows = db.prepare<IdRow>('SELECT id FROM project_roots WHERE root = ?').all(rootOf(db, id));
  return rows.map((row) => row.id);
}

export function listProjects(db: Database): Project[] {
  const rows = db
    .prepare<ProjectRow>(`
      SELECT p.id, coalesce(p.alias, p.name) AS name, p.remote,
        (SELECT json_group_array(path) FROM project_places WHERE project_id = p.id) AS places,
        (SELECT json_group_array(json_object('id', m.id, 'name', coalesce(m.alias, m.name)))
          FROM projects m JOIN project_roots r ON r.id = m.id WHERE r.root = p.id AND m.id <> p.id) AS merged,
        count(s.id) AS sessions, max(s.last_seen) AS lastSeen
      FROM projects p
      JOIN project_roots member ON member.root = p.id
      LEFT JOIN sessions s ON s.project_id = member.id
      GROUP BY p.id ORDER BY lastSeen DESC`)
    .all();
  return rows.map(({ remote, lastSeen, places, merged, ...row }) => ({
    ...row,
    places: JSON.parse(places),
    merged: JSON.parse(merged),
    ...(remote && { remote }),
    ...(lastSeen && { lastSeen }),
  }));
}

interface ProjectRow {
  id: number;
  name: string;
  remote: string | null;
  places: string;
  merged: string;
  sessions: number;
  lastSeen: number | null;
}

export function renameProject(db: Database, id: number, alias: string | null): void {
  db.prepare('UPDATE projects SET alias = ? WHERE id = ?').run(alias, id);
}

/** Sessions keep their own project, so a split restores the previous state. */
export function mergeProjects(db: Database, from: number, into: number): void {
  if (rootOf(db, into) === from) throw new Error('These two are one project already.');
  db.prepare('UPDATE projects SET merged_into = ? WHERE id = ?').run(into, from);
}

export function splitProject(db: Database, id: number): void {
  db.prepare('UPDATE projects SET merged_into = NULL WHERE id = ?').run(id);
}

/** For a project whose memories are forgotten. Its sessions remain without a project. */
export function removeProject(db: Database, id: number): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const statement of [
      'UPDATE sessions SET project_id = NULL WHERE project_id = ?',
      'UPDATE memories SET project_id = NULL WHERE project_id = ?',
      'UPDATE projects SET merged_into = NULL WHERE merged_into = ?',
      'DELETE FROM works WHERE project_id = ?',
      'DELETE FROM noted_folders WHERE project_id = ?',
      'DELETE FROM project_places WHERE project_id = ?',
      'DELETE FROM projects WHERE id = ?',
    ])
      db.prepare(statement).run(id);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function rootOf(db: Database, id: number): number {
  const row = db.prepare<{ root: number }>('SELECT root FROM project_roots WHERE id = ?').get(id);
  return row?.root ?? id;
}
