import type { PortableMemory, PortPage, PortQuery } from '../types/port.ts';
import { ALL_ALIASES } from './aliases.ts';
import type { Database } from './open.ts';
import type { IdRow } from './rows.ts';

export function listPortableMemories(db: Database, query: PortQuery): PortPage {
  const { after, limit, projectId = null, since = null, withSuperseded } = query;
  const rows = db
    .prepare<Row>(`
      ${ROW} WHERE m.id > ? AND (? IS NULL OR r.root = ?) AND (? IS NULL OR m.at >= ?)
        ${withSuperseded ? '' : 'AND m.superseded_by IS NULL'}
      ORDER BY m.id LIMIT ?`)
    .all(after, projectId, projectId, since, since, limit);
  return { memories: rows.map((row) => asPortable(db, row)), last: rows.at(-1)?.id ?? null };
}

/** The number of the memory with this key, wherever it was made. */
export function findMemoryByKey(db: Database, key: string): number | null {
  const imported = db.prepare<IdRow>('SELECT id FROM memories WHERE origin = ?').get(key);
  if (imported) return imported.id;
  const id = /^cairn:(\d{1,15}):/.exec(key)?.[1];
  return id !== undefined && keyOf(db, Number(id)) === key ? Number(id) : null;
}

interface KeyRow {
  id: number;
  origin: string | null;
  at: number;
  agent: string | null;
  agentSession: string | null;
}

function keyOf(db: Database, id: number): string | null {
  const row = db
    .prepare<KeyRow>(`
      SELECT m.id, m.origin, m.at, s.agent, s.agent_session AS agentSession
      FROM memories m LEFT JOIN sessions s ON s.id = m.session_id WHERE m.id = ?`)
    .get(id);
  return row ? keyOfRow(row) : null;
}

/**
 * Imported memories keep their origin as the key. For others the key combines the number, unique within a database,
 * with the session or the time, which no other database has under the same number.
 */
function keyOfRow({ id, origin, at, agent, agentSession }: KeyRow): string {
  if (origin !== null) return origin;
  const { createHash } = process.getBuiltinModule('node:crypto');
  const where = agentSession === null ? String(at) : `${agent} ${agentSession}`;
  return `cairn:${id}:${createHash('sha256').update(where).digest('base64url').slice(0, 16)}`;
}

const ROW = `
  SELECT m.id, m.origin, m.kind, m.type, m.title, m.subtitle, m.narrative, m.facts, m.concepts, ${ALL_ALIASES} AS aliases, m.parts,
    m.scope, m.strength, m.said_by AS saidBy, m.distiller, m.at, m.pinned_at AS pinnedAt, m.edited_at AS editedAt,
    m.merged_at AS mergedAt, m.superseded_by AS successor, s.agent, s.agent_session AS agentSession,
    m.prompt_number AS prompt, m.branch, m.commit_id AS "commit",
    coalesce(p.alias, p.name) AS projectName, p.remote,
    (SELECT min(path) FROM project_places WHERE project_id = p.id) AS projectPath,
    (SELECT json_group_array(json_object('path', path, 'how', how, 'hash', hash, 'symbols', json(symbols)))
      FROM memory_files WHERE memory_id = m.id) AS files
  FROM memories m
  LEFT JOIN sessions s ON s.id = m.session_id
  LEFT JOIN project_roots r ON r.id = m.project_id
  LEFT JOIN projects p ON p.id = r.root`;

type Row = KeyRow &
  Pick<PortableMemory, 'kind' | 'type' | 'title' | 'subtitle' | 'narrative' | 'scope' | 'strength'> &
  Pick<PortableMemory, 'saidBy' | 'distiller' | 'pinnedAt' | 'editedAt' | 'mergedAt'> &
  Pick<PortableMemory, 'prompt' | 'branch' | 'commit'> &
  Record<'facts' | 'concepts' | 'aliases' | 'files', string> &
  Record<'parts' | 'projectName' | 'remote' | 'projectPath', string | null> & { successor: number | null };

function asPortable(db: Database, row: Row): PortableMemory {
  const { kind, type, title, subtitle, narrative, scope, strength, saidBy, distiller, at } = row;
  const { pinnedAt, editedAt, mergedAt, agent, agentSession, prompt, branch, commit } = row;
  return {
    key: keyOfRow(row),
    kind,
    type,
    title,
    subtitle,
    narrative,
    facts: JSON.parse(row.facts),
    concepts: JSON.parse(row.concepts),
    aliases: JSON.parse(row.aliases),
    parts: row.parts === null ? null : JSON.parse(row.parts),
    scope,
    supersededBy: row.successor === null ? null : keyOf(db, row.successor),
    strength,
    saidBy,
    distiller,
    at,
    pinnedAt,
    editedAt,
    mergedAt,
    project: projectOf(row),
    session: agent === null || agentSession === null ? null : { agent, id: agentSession },
    prompt,
    branch,
    commit,
    files: JSON.parse(row.files),
  };
}

function projectOf({ projectName, remote, projectPath }: Row): PortableMemory['project'] {
  if (projectName === null) return null;
  if (remote !== null) return { name: projectName, remote };
  return { name: projectName, ...(projectPath !== null && { path: projectPath }) };
}
