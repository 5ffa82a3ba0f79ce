import type { FileHistoryQuery, Moment, NumberedPrompt, TimelineQuery } from '../types/history.ts';
import type { StoredMemory } from '../types/memory.ts';
import { selectMemories } from './memories.ts';
import type { Database } from './open.ts';
import type { IdRow, WithFlags } from './rows.ts';

/** The timeline, and the history of a file. */
export function createHistoryQueries(db: Database) {
  return {
    /** Memories and prompts around a moment, by time. */
    listMoments: (query: TimelineQuery): Moment[] => listMoments(db, query),
    getPrompts: (ids: number[]): NumberedPrompt[] => getPrompts(db, ids),
    /** Memories about a file, or about anything in a folder, latest first. */
    listFileHistory: (query: FileHistoryQuery): StoredMemory[] => listFileHistory(db, query),
  };
}

/** The project of the first parameter, with merged ones; null is every project. */
const IN_PROJECT = '(?1 IS NULL OR project_id IN (SELECT id FROM project_roots WHERE root = ?1))';

/** A prompt comes before its memories, even at the same time. */
const PLACES = { prompt: 0, memory: 1 };

const MEMORIES = `
  SELECT 'memory' AS what, ${PLACES.memory} AS place, id, at FROM memories
  WHERE (${IN_PROJECT} OR scope = 'global')`;
const PROMPTS = `
  SELECT 'prompt' AS what, ${PLACES.prompt} AS place, p.id, p.at FROM prompts p JOIN sessions s ON s.id = p.session_id
  WHERE origin = 'person' AND is_private = 0 AND text <> '' AND ${IN_PROJECT}`;

function listMoments(db: Database, { projectId, sessionId, around, before, after }: TimelineQuery): Moment[] {
  const own = 'id' in around ? [around] : [];
  // A time without an id sorts before everything that happened at that time.
  const [place, id] = 'id' in around ? [PLACES[around.what], around.id] : [-1, -1];
  // Two forms of the condition: with a session, SQLite can use the index of sessions.
  const inSession = sessionId === undefined ? '?2 IS NULL' : 'session_id = ?2';
  const side = (comparison: '<' | '>', order: 'ASC' | 'DESC', limit: number) => {
    // Sort and limit each kind by itself: an index delivers each in this order, but not their union.
    const nearest = (what: keyof typeof PLACES, rows: string, table: string) => `
      SELECT * FROM (${rows} AND ${inSession} AND ${table}.at ${comparison}= ?3
        AND (${table}.at, ${PLACES[what]}, ${table}.id) ${comparison} (?3, ?4, ?5)
        ORDER BY ${table}.at ${order}, ${table}.id ${order} LIMIT ?6)`;
    return db
      .prepare<Moment>(`
        SELECT what, id, at FROM (${nearest('memory', MEMORIES, 'memories')}
          UNION ALL ${nearest('prompt', PROMPTS, 'p')})
        ORDER BY at ${order}, place ${order}, id ${order} LIMIT ?6`)
      .all(projectId, sessionId ?? null, around.at, place, id, limit);
  };
  const all = [...side('<', 'DESC', before).reverse(), ...own, ...side('>', 'ASC', after)];
  return all.map(({ what, id, at }) => ({ what, id, at }));
}

function getPrompts(db: Database, ids: number[]): NumberedPrompt[] {
  const rows = db
    .prepare<WithFlags<NumberedPrompt, 'isPrivate'>>(`
      SELECT q.id, q.number, q.at, q.text, q.origin, q.is_private AS isPrivate, q.session_id AS sessionId,
        coalesce(p.alias, p.name) AS project, r.root AS projectId, s.branch
      FROM prompts q JOIN sessions s ON s.id = q.session_id
      LEFT JOIN project_roots r ON r.id = s.project_id
      LEFT JOIN projects p ON p.id = r.root
      WHERE q.id IN (SELECT value FROM json_each(?)) ORDER BY q.id`)
    .all(JSON.stringify(ids));
  return rows.map((prompt) => ({ ...prompt, isPrivate: prompt.isPrivate === 1 }));
}

function listFileHistory(
  db: Database,
  { projectId, path, anywhere = false, limit }: FileHistoryQuery,
): StoredMemory[] {
  const files = anywhere
    ? "path = ?2 OR substr(path, -length('/' || ?2)) = '/' || ?2"
    : "path = ?2 OR (path >= ?2 || '/' AND path < ?2 || '0') OR ?2 = ''";
  const ids = db
    .prepare<IdRow>(`
      SELECT id FROM memories WHERE ${IN_PROJECT} AND id IN (SELECT memory_id FROM memory_files WHERE ${files})
      ORDER BY at DESC, id DESC LIMIT ?3`)
    .all(projectId, path, limit);
  const found = selectMemories(
    db,
    'm.id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids.map(({ id }) => id)),
  );
  return found.sort((one, other) => other.at - one.at || other.id - one.id);
}
