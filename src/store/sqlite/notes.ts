import type {
  DistilledPlace,
  FolderEntry,
  FolderTimelineQuery,
  NotedFolder,
  NotesStore,
} from '../notes-store.ts';
import type { Database } from './open.ts';

export function notesOf(db: Database): NotesStore {
  return {
    filesOfProject(projectId) {
      const rows = db
        .prepare(`
          SELECT DISTINCT f.path FROM memory_files f JOIN memories m ON m.id = f.memory_id
          WHERE m.project_id IN (SELECT id FROM project_roots WHERE root = ?) AND m.superseded_by IS NULL
            AND m.kind <> 'summary' AND f.path NOT LIKE '/%' ORDER BY f.path`)
        .all(projectId);
      return (rows as { path: string }[]).map(({ path }) => path);
    },
    folderTimeline: (query) => folderTimeline(db, query),
    standingAmong(memories) {
      const rows = db
        .prepare(
          'SELECT id FROM memories WHERE superseded_by IS NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY id',
        )
        .all(JSON.stringify(memories));
      return (rows as { id: number }[]).map(({ id }) => id);
    },
    distilledSince: (at) => distilledSince(db, at),
    notedFolders({ projectId = null, top = null }: { projectId?: number | null; top?: string | null } = {}) {
      const rows = db
        .prepare(`
          SELECT n.folder, n.top, r.root AS projectId FROM noted_folders n JOIN project_roots r ON r.id = n.project_id
          WHERE (?1 IS NULL OR r.root = ?1) AND (?2 IS NULL OR n.top = ?2) ORDER BY n.folder`)
        .all(projectId, top);
      return (rows as unknown as NotedFolder[]).map((row) => ({ ...row }));
    },
    noteFolder({ folder, top, projectId }) {
      db.prepare(`
        INSERT INTO noted_folders (folder, top, project_id) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET top = excluded.top, project_id = excluded.project_id
          WHERE top <> excluded.top OR project_id <> excluded.project_id
      `).run(folder, top, projectId);
    },
    unnoteFolder: (folder) => void db.prepare('DELETE FROM noted_folders WHERE folder = ?').run(folder),
  };
}

function folderTimeline(
  db: Database,
  { projectId, folder, limit, except = [] }: FolderTimelineQuery,
): FolderEntry[] {
  const rows = db
    .prepare(`
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
  return (rows as unknown as FolderEntry[]).map((row) => ({ ...row }));
}

/** Also turns of which nothing was left: what they had taught before may still stand in a note. */
function distilledSince(db: Database, at: number): DistilledPlace[] {
  const rows = db
    .prepare(`
      SELECT coalesce(s.worktree, s.folder) AS folder, r.root AS projectId, json_group_array(DISTINCT f.path) AS files
      FROM turns t
      JOIN sessions s ON s.id = t.session_id
      JOIN project_roots r ON r.id = s.project_id
      LEFT JOIN memories m ON m.turn_id = t.id AND m.kind = 'observation'
      LEFT JOIN memory_files f ON f.memory_id = m.id
      WHERE t.distilled_at >= ? AND coalesce(s.worktree, s.folder) IS NOT NULL
      GROUP BY 1, 2 ORDER BY 1, 2`)
    .all(at) as unknown as (Omit<DistilledPlace, 'files'> & { files: string })[];
  return rows.map(({ folder, projectId, files }) => ({
    folder,
    projectId,
    files: (JSON.parse(files) as (string | null)[]).filter((path) => path !== null).sort(),
  }));
}
