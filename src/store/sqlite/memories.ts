import type { ObservationType } from '../../model/memory.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { StoredEvent } from '../types/event.ts';
import type { Job } from '../types/job.ts';
import type { DistilledTurn, MemoryKind, StoredMemory, TurnNote } from '../types/memory.ts';
import { type Database, inTransaction } from './open.ts';
import type { WithJson } from './rows.ts';
import { saveDistilled } from './save-distilled.ts';
import { selectEvents } from './sessions.ts';

/** The colleague who made it; null for what this member made, on any machine. */
const AUTHOR = `(
  SELECT nullif(t.author, (SELECT member FROM team)) FROM team_items t WHERE t.what = 'memory' AND t.row_id = m.id)`;

const MEMORY = `
  SELECT m.id, m.kind, m.type, m.title, m.subtitle, m.narrative, m.facts, m.concepts, m.parts, m.tokens, m.strength,
    m.superseded_by AS supersededBy, m.turn_id AS turnId, m.session_id AS sessionId,
    coalesce(p.alias, p.name) AS project, m.prompt_number AS prompt, m.branch, m.commit_id AS "commit", m.distiller, m.at,
    r.root AS projectId, m.scope, m.said_by AS saidBy, m.aliases, m.pinned_at AS pinnedAt, m.edited_at AS editedAt,
    m.merged_at AS mergedAt, m.origin, ${AUTHOR} AS author,
    (SELECT json_group_array(json_object('path', path, 'hash', hash, 'symbols', json(symbols)))
      FROM memory_files WHERE memory_id = m.id AND hash IS NOT NULL) AS pins,
    (SELECT json_group_array(path) FROM memory_files WHERE memory_id = m.id AND how = 'read') AS filesRead,
    (SELECT json_group_array(path) FROM memory_files WHERE memory_id = m.id AND how = 'write') AS filesModified
  FROM memories m
  LEFT JOIN project_roots r ON r.id = m.project_id
  LEFT JOIN projects p ON p.id = r.root`;

/** Queries for distilling turns and reading their memories. */
export function createMemoryQueries(db: Database) {
  return {
    /** Observations and summaries of earlier turns of the same session, oldest first, unless replaced or edited by hand. */
    listEarlierMemories: (turnId: number): StoredMemory[] =>
      selectMemories(
        db,
        `m.kind <> 'note' AND m.superseded_by IS NULL AND m.edited_at IS NULL AND m.turn_id < ?1
          AND m.session_id = (SELECT session_id FROM turns WHERE id = ?1) ORDER BY m.turn_id, m.id`,
        turnId,
      ),
    /** Observations of earlier sessions about one of these files, the latest first, unless replaced or edited by hand. */
    listFileObservations(turnId: number, files: string[]): StoredMemory[] {
      const rows = db
        .prepare<MemoryRow>(`
          ${MEMORY} JOIN turns t ON t.id = ?1 JOIN sessions s ON s.id = t.session_id
          JOIN project_roots own ON own.id = s.project_id
          WHERE m.kind = 'observation' AND r.root = own.root AND m.superseded_by IS NULL AND m.edited_at IS NULL
            AND m.turn_id < ?1 AND m.session_id <> t.session_id
            AND m.id IN (SELECT memory_id FROM memory_files WHERE path IN (SELECT value FROM json_each(?2)))
          ORDER BY m.at DESC LIMIT 100`)
        .all(turnId, JSON.stringify(files));
      return rows.map(toMemory);
    },
    /**
     * Memories that a new observation could repeat: the latest hundred of the same project and type that are not
     * superseded and, if the observation is about files, about one of the same files.
     */
    findSimilarMemories(turnId: number, type: ObservationType, files: string[]): StoredMemory[] {
      const sharesFile = `AND m.id IN (
        SELECT memory_id FROM memory_files WHERE path IN (SELECT value FROM json_each(?)))`;
      const rows = db
        .prepare<MemoryRow>(`
          ${MEMORY} JOIN turns t ON t.id = ? JOIN sessions s ON s.id = t.session_id
          JOIN project_roots own ON own.id = s.project_id
          WHERE m.kind = 'observation' AND m.type = ? AND r.root = own.root AND m.superseded_by IS NULL
            AND m.turn_id <> t.id ${files.length > 0 ? sharesFile : ''}
          ORDER BY m.at DESC LIMIT 100`)
        .all(turnId, type, ...(files.length > 0 ? [JSON.stringify(files)] : []));
      return rows.map(toMemory);
    },
    /** Notes that the agent saved during the turn, including those saved before the session or the turn was stored. */
    listTurnNotes(turnId: number): TurnNote[] {
      const rows = db
        .prepare<TurnNote>(`
          SELECT m.id, m.title, m.narrative FROM turns t
          JOIN sessions s ON s.id = t.session_id
          JOIN project_roots own ON own.id = s.project_id
          JOIN project_roots r ON r.root = own.root
          JOIN memories m ON m.project_id = r.id AND m.at BETWEEN t.opened_at AND t.last_at
          WHERE t.id = ? AND m.kind = 'note' AND m.said_by = 'agent' AND m.superseded_by IS NULL
            AND coalesce(m.session_id, s.id) = s.id
          ORDER BY m.id`)
        .all(turnId);
      return rows.map((row) => ({ ...row }));
    },
    /**
     * Replaces the turn's memories, keeps their ids, and finishes the job, in one transaction. @returns false if the
     * job changed meanwhile; then nothing is saved.
     */
    saveDistilled: (job: Job, distilled: Redacted<DistilledTurn>, now: number): boolean =>
      inTransaction(db, () => saveDistilled(db, job, distilled, now)),
    /** The memories that `ids` replaced. */
    listReplaced(ids: number[]): { id: number; by: number }[] {
      return db
        .prepare<{ id: number; by: number }>(`
          SELECT id, superseded_by AS by FROM memories
          WHERE superseded_by IN (SELECT value FROM json_each(?)) ORDER BY id`)
        .all(JSON.stringify(ids))
        .map(({ id, by }) => ({ id, by }));
    },
    listRecentMemories({
      projectId,
      kind,
      limit,
    }: {
      projectId?: number;
      kind?: MemoryKind;
      limit: number;
    }): StoredMemory[] {
      const rows = db
        .prepare<MemoryRow>(`
          ${MEMORY} WHERE (? IS NULL OR r.root = ?) AND (? IS NULL OR m.kind = ?)
          ORDER BY m.at DESC, m.id DESC LIMIT ?`)
        .all(projectId ?? null, projectId ?? null, kind ?? null, kind ?? null, limit);
      return rows.map(toMemory);
    },
    getMemory(id: number): StoredMemory | null {
      const row = db.prepare<MemoryRow>(`${MEMORY} WHERE m.id = ?`).get(id);
      return row ? toMemory(row) : null;
    },
    listMemoryEvents: (id: number): StoredEvent[] =>
      selectEvents(db, 'id IN (SELECT event_id FROM memory_events WHERE memory_id = ?)', [id]),
  };
}

/** Full memories `m`, unordered. */
export function selectMemories(db: Database, where: string, ...values: (string | number)[]): StoredMemory[] {
  return db
    .prepare<MemoryRow>(`${MEMORY} WHERE ${where}`)
    .all(...values)
    .map(toMemory);
}

type JsonColumn = 'facts' | 'concepts' | 'parts' | 'filesRead' | 'filesModified' | 'aliases' | 'pins';
type MemoryRow = WithJson<StoredMemory, JsonColumn>;

/** Converts the row in place: the start of a session reads sixty, and copying their columns takes a millisecond. */
function toMemory(stored: MemoryRow): StoredMemory {
  return Object.assign(stored as Omit<StoredMemory, JsonColumn>, {
    facts: JSON.parse(stored.facts),
    concepts: JSON.parse(stored.concepts),
    parts: stored.parts === null ? null : JSON.parse(stored.parts),
    filesRead: JSON.parse(stored.filesRead),
    filesModified: JSON.parse(stored.filesModified),
    aliases: JSON.parse(stored.aliases),
    pins: JSON.parse(stored.pins),
  });
}
