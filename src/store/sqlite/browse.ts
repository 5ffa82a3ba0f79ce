import type { MemoryFilter, PageStart, SessionFilter, TurnDigest } from '../types/browse.ts';
import type { StoredEvent } from '../types/event.ts';
import type { StoredMemory } from '../types/memory.ts';
import type { SessionDigest } from '../types/session.ts';
import { selectMemories } from './memories.ts';
import type { Database } from './open.ts';
import { countRows, type IdRow, type WithJson } from './rows.ts';
import { selectDigests, selectEvents } from './sessions.ts';

type Value = string | number;

/** Lists everything stored, page by page, latest first. */
export function createBrowseQueries(db: Database) {
  return {
    /** Pages are exact while rows are added and removed: a page begins after a row, not at a position. */
    listMemories(filter: MemoryFilter, limit: number, start?: PageStart): StoredMemory[] {
      const ids = listMemoryIds(db, filter, limit, start);
      const found = selectMemories(db, 'm.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
      return found.sort((one, other) => other.at - one.at || other.id - one.id);
    },
    listMemoryIds: (filter: MemoryFilter, limit: number): number[] => listMemoryIds(db, filter, limit),
    countMemories(filter: MemoryFilter): number {
      const { where, values } = conditionsOf(filter);
      return countRows(db, `memories m WHERE ${where}`, ...values);
    },
    listSessions(filter: SessionFilter, limit: number, start?: PageStart): SessionDigest[] {
      const { projectId, agent, isOpen } = filter;
      const { where, values } = join([
        projectId !== undefined && [IN_PROJECT, projectId],
        agent !== undefined && ['s.agent = ?', agent],
        isOpen !== undefined && [`s.ended_at IS ${isOpen ? '' : 'NOT '}NULL`],
        start !== undefined && ['(s.last_seen, s.id) < (?, ?)', start.at, start.id],
      ]);
      const rows = db
        .prepare<IdRow>(
          `SELECT s.id FROM sessions s WHERE ${where} ORDER BY s.last_seen DESC, s.id DESC LIMIT ?`,
        )
        .all(...values, limit);
      const found = selectDigests(db, 's.id IN (SELECT value FROM json_each(?))', idsOf(rows));
      return found.sort((one, other) => other.lastSeen - one.lastSeen || other.id - one.id);
    },
    /** The sessions before and after this one, ordered by last event; null where there is none. */
    findNeighbours({ id, lastSeen }: Pick<SessionDigest, 'id' | 'lastSeen'>): {
      older: number | null;
      newer: number | null;
    } {
      const find = (sign: '<' | '>', order: 'ASC' | 'DESC') =>
        db
          .prepare<IdRow>(`
            SELECT id FROM sessions WHERE (last_seen, id) ${sign} (?, ?)
            ORDER BY last_seen ${order}, id ${order} LIMIT 1`)
          .get(lastSeen, id)?.id ?? null;
      return { older: find('<', 'DESC'), newer: find('>', 'ASC') };
    },
    getSession: (id: number): SessionDigest | null => selectDigests(db, 's.id = ?', id)[0] ?? null,
    findSessionOfAgent: (agent: string, agentSession: string): SessionDigest | null =>
      selectDigests(db, 's.agent = ? AND s.agent_session = ?', agent, agentSession)[0] ?? null,
    /** In order. */
    listTurns: (sessionId: number): TurnDigest[] => selectTurns(db, 't.session_id = ?', sessionId),
    getTurn: (id: number): TurnDigest | null => selectTurns(db, 't.id = ?', id)[0] ?? null,
    /** In order, starting after `afterEvent`. Emptied events have only their keys. */
    listEventsOfTurn: (turnId: number, afterEvent: number, limit: number): StoredEvent[] =>
      selectEvents(db, 'turn_id = ? AND id > ?', [turnId, afterEvent], { limit, longestText: LONGEST_TEXT }),
    getEvent: (id: number): StoredEvent | null => selectEvents(db, 'id = ?', [id])[0] ?? null,
    /** The folder of the project's last session; null if no session has one. */
    findProjectFolder(projectId: number): string | null {
      const row = db
        .prepare<{ folder: string }>(`
          SELECT coalesce(s.worktree, s.folder) AS folder FROM sessions s
          WHERE ${IN_PROJECT} AND coalesce(s.worktree, s.folder) IS NOT NULL ORDER BY s.last_seen DESC LIMIT 1`)
        .get(projectId);
      return row?.folder ?? null;
    },
  };
}

/** Longer texts of events are cut in a list. */
const LONGEST_TEXT = 4_000;
const IN_PROJECT = 's.project_id IN (SELECT id FROM project_roots WHERE root = ?)';

function listMemoryIds(db: Database, filter: MemoryFilter, limit: number, start?: PageStart): number[] {
  const { where, values } = conditionsOf(filter);
  const after = start ? 'AND (m.at, m.id) < (?, ?)' : '';
  const rows = db
    .prepare<IdRow>(
      `SELECT m.id FROM memories m WHERE ${where} ${after} ORDER BY m.at DESC, m.id DESC LIMIT ?`,
    )
    .all(...values, ...(start ? [start.at, start.id] : []), limit);
  return rows.map(({ id }) => id);
}

function conditionsOf(filter: MemoryFilter): { where: string; values: Value[] } {
  const { projectId, sessionId, turnId, agent, kind, type, isPinned, isSuperseded, since, before } = filter;
  return join([
    projectId !== undefined && ['m.project_id IN (SELECT id FROM project_roots WHERE root = ?)', projectId],
    sessionId !== undefined && ['m.session_id = ?', sessionId],
    turnId !== undefined && ['m.turn_id = ?', turnId],
    agent !== undefined && ['m.session_id IN (SELECT id FROM sessions WHERE agent = ?)', agent],
    kind !== undefined && ['m.kind = ?', kind],
    type !== undefined && ['m.type = ?', type],
    isPinned !== undefined && [`m.pinned_at IS ${isPinned ? 'NOT ' : ''}NULL`],
    isSuperseded !== undefined && [`m.superseded_by IS ${isSuperseded ? 'NOT ' : ''}NULL`],
    since !== undefined && ['m.at >= ?', since],
    before !== undefined && ['m.at < ?', before],
  ]);
}

function join(conditions: (false | [string, ...Value[]])[]): { where: string; values: Value[] } {
  const active = conditions.filter((condition) => condition !== false);
  return {
    where: active.map(([text]) => text).join(' AND ') || 'TRUE',
    values: active.flatMap(([, ...values]) => values),
  };
}

function selectTurns(db: Database, where: string, value: number): TurnDigest[] {
  const rows = db
    .prepare<WithJson<TurnDigest, 'memories'>>(`
      SELECT t.id, t.session_id AS sessionId, t.prompt_number AS prompt,
        (SELECT text FROM prompts p WHERE p.session_id = t.session_id AND p.number = t.prompt_number
          AND is_private = 0) AS request,
        t.opened_at AS openedAt, t.last_at AS lastAt, t.closed_at AS closedAt, t.closed_by AS closedBy,
        t.distilled_at AS distilledAt, t.distiller,
        (SELECT count(*) FROM events WHERE turn_id = t.id) AS events,
        (SELECT json_group_array(id) FROM memories WHERE turn_id = t.id) AS memories
      FROM turns t WHERE ${where} ORDER BY t.id`)
    .all(value);
  return rows.map((row) => ({ ...row, memories: JSON.parse(row.memories) }));
}

function idsOf(rows: IdRow[]): string {
  return JSON.stringify(rows.map(({ id }) => id));
}
