import type { Redacted } from '../../model/redacted.ts';
import type { DistilledPlace, FolderEntry, FolderTimelineQuery, NotedFolder } from '../types/notes.ts';
import type { Database } from './open.ts';
import type { IdRow, WithJson } from './rows.ts';

/** The data of folder notes, and the folders that have one. */
export function createNoteQueries(db: Database) {
  return {
    /** Every file with memories in the project, relative to the top of the checkout. */
    listProjectFiles(projectId: number): string[] {
      const rows = db
        .prepare<{ path: string }>(`
          SELECT DISTINCT f.path FROM memory_files f JOIN memories m ON m.id = f.memory_id
          WHERE m.project_id IN (SELECT id FROM project_roots WHERE root = ?) AND m.superseded_by IS NULL
            AND m.kind <> 'summary' AND f.path NOT LIKE '/%' ORDER BY f.path`)
        .all(projectId);
      return rows.map(({ path }) => path);
    },
    /** Memories about files directly in a folder, latest first; no summaries or superseded ones. */
    listFolderEntries: (query: FolderTimelineQuery): FolderEntry[] => listFolderEntries(db, query),
    filterCurrentMemories(memories: number[]): number[] {
      const rows = db
        .prepare<IdRow>(
          'SELECT id FROM memories WHERE superseded_by IS NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY id',
        )
        .all(JSON.stringify(memories));
      return rows.map(({ id }) => id);
    },
    /** The folders of turns distilled since then, and the files of their memories. */
    listDistilledPlaces: (at: number): DistilledPlace[] => listDistilledPlaces(db, at),
    listNotedFolders({
      projectId = null,
      top = null,
    }: {
      projectId?: number | null;
      top?: string | null;
    } = {}): NotedFolder[] {
      const rows = db
        .prepare<NotedFolder>(`
          SELECT n.folder, n.top, r.root AS projectId FROM noted_folders n JOIN project_roots r ON r.id = n.project_id
          WHERE (?1 IS NULL OR r.root = ?1) AND (?2 IS NULL OR n.top = ?2) ORDER BY n.folder`)
        .all(projectId, top);
      return rows.map((row) => ({ ...row }));
    },
    addNotedFolder({ folder, top, projectId }: Redacted<NotedFolder>): void {
      db.prepare(`
        INSERT INTO noted_folders (folder, top, project_id) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET top = excluded.top, project_id = excluded.project_id
          WHERE top <> excluded.top OR project_id <> excluded.project_id
      `).run(folder, top, projectId);
    },
    removeNotedFolder: (folder: string): void =>
      void db.prepare('DELETE FROM noted_folders WHERE folder = ?').run(folder),
  };
}

function listFolderEntries(
  db: Database,
  { projectId, folder, limit, except = [] }: FolderTimelineQuery,
): FolderEntry[] {
  const rows = db
    .prepare<FolderEntry>(`
      SELECT m.id, coalesce(m.type, m.kind) AS type, m.title, m.at, s.agent
      FROM memories m LEFT JOIN sessions s ON s.id = m.session_id
      WHERE m.id IN (
          SELECT memory_id FROM memory_files
          WHERE path > ?2 || '/' AND path < ?2 || '0' AND instr(substr(path, length(?2) + 2), '/') = 0)
        AND m.project_id IN (SELECT id FROM project_roots WHERE root = ?1)
        AND m.superseded_by IS NULL AND m.kind <> 'summary'
        AND m.id NOT IN (SELECT value FROM json_each(?4))
      ORDER BY m.at DESC, m.id DESC LIMIT ?3`)
    .all(projectId, folder, limit, JSON.stringify(except));
  return rows.map((row) => ({ ...row }));
}

/** Includes turns without memories: a note may still contain earlier ones. */
function listDistilledPlaces(db: Database, at: number): DistilledPlace[] {
  const rows = db
    .prepare<WithJson<DistilledPlace, 'files'>>(`
      SELECT coalesce(s.worktree, s.folder) AS folder, r.root AS projectId, json_group_array(DISTINCT f.path) FILTER (WHERE f.path IS NOT NULL) AS files
      FROM turns t
      JOIN sessions s ON s.id = t.session_id
      JOIN project_roots r ON r.id = s.project_id
      LEFT JOIN memories m ON m.turn_id = t.id AND m.kind = 'observation'
      LEFT JOIN memory_files f ON f.memory_id = m.id
      WHERE t.distilled_at >= ? AND coalesce(s.worktree, s.folder) IS NOT NULL
      GROUP BY 1, 2 ORDER BY 1, 2`)
    .all(at);
  return rows.map(({ folder, projectId, files }) => ({
    folder,
    projectId,
    files: JSON.parse(files).sort(),
  }));
}
