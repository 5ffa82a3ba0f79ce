import type { StoredEvent } from '../types/event.ts';
import type { StoredTurn } from '../types/memory.ts';
import { type Database, inTransaction } from './open.ts';
import { addJob } from './queue.ts';
import { countRows, type IdRow } from './rows.ts';
import { selectEvents, selectPrompts } from './sessions.ts';

/** Longer texts are cut when a turn is distilled. */
const LONGEST_TEXT = 12_000;

/** Captured turns and their events, for distilling. */
export function createTurnQueries(db: Database) {
  return {
    readTurn: (turnId: number): StoredTurn | null => readStoredTurn(db, turnId),
    listTurnIds(sessionId: number): number[] {
      const rows = db.prepare<IdRow>('SELECT id FROM turns WHERE session_id = ? ORDER BY id').all(sessionId);
      return rows.map(({ id }) => id);
    },
    /** The next turns of the same session that are distilled already. */
    listDistilledAfter(turnId: number, limit: number): number[] {
      const rows = db
        .prepare<IdRow>(`
          SELECT later.id FROM turns t JOIN turns later ON later.session_id = t.session_id AND later.id > t.id
          WHERE t.id = ? AND later.distilled_at IS NOT NULL ORDER BY later.id LIMIT ?`)
        .all(turnId, limit);
      return rows.map(({ id }) => id);
    },
    /** In order, at most `limit` events after `afterEvent`. Long texts are cut in the middle. */
    listTurnEvents: (turnId: number, afterEvent: number, limit: number): StoredEvent[] =>
      listTurnEvents(db, turnId, afterEvent, limit),
    /** The agent's id of the last call in the turn that was not made by a subagent; null if there is none. */
    findLastCallId(turnId: number): string | null {
      const row = db
        .prepare<{ callId: string }>(`
          SELECT call_id AS callId FROM events
          WHERE turn_id = ? AND kind = 'tool-end' AND call_id IS NOT NULL AND subagent_id IS NULL
          ORDER BY id DESC LIMIT 1`)
        .get(turnId);
      return row?.callId ?? null;
    },
    /**
     * Closes open turns that have been silent since then, and, after a clock was set back, those last seen in the
     * future. @returns how many were closed.
     */
    closeSilentTurns: (silentSince: number, notBeyond?: number): number =>
      inTransaction(db, () => closeSilentTurns(db, silentSince, notBeyond)),
    countOpenTurns(): number {
      return countRows(db, 'turns WHERE closed_at IS NULL');
    },
  };
}

function listTurnEvents(db: Database, turnId: number, afterEvent: number, limit: number): StoredEvent[] {
  return selectEvents(db, 'turn_id = ? AND id > ?', [turnId, afterEvent], {
    limit,
    longestText: LONGEST_TEXT,
  });
}

function readStoredTurn(db: Database, turnId: number): StoredTurn | null {
  const turn = db
    .prepare<TurnRow>(`
      SELECT t.id, t.session_id AS sessionId, t.closed_by AS closedBy, t.opened_at AS openedAt, t.last_at AS lastAt,
        t.prompt_number AS promptNumber, s.agent, s.agent_session AS agentSession, s.transcript, s.branch,
        (SELECT min(n.opened_at) FROM turns n WHERE n.session_id = t.session_id AND n.id > t.id) AS nextOpenedAt,
        EXISTS (SELECT 1 FROM events e WHERE e.turn_id = t.id AND e.kind = 'turn-end' AND e.text <> '')
          AS hasClosingWords,
        coalesce(s.worktree, s.folder) AS folder,
        coalesce(p.alias, p.name) AS project
      FROM turns t JOIN sessions s ON s.id = t.session_id LEFT JOIN projects p ON p.id = s.project_id
      WHERE t.id = ?`)
    .get(turnId);
  if (!turn) return null;
  const earlier = db
    .prepare<{ text: string }>(`
      SELECT text FROM prompts WHERE session_id = ? AND turn_id < ? AND origin = 'person' AND is_private = 0
      ORDER BY number DESC LIMIT 3`)
    .all(turn.sessionId, turnId);
  const words = db
    .prepare<{ text: string }>(`
      SELECT e.text FROM turns t JOIN events e ON e.turn_id = t.id
      WHERE t.session_id = ? AND t.id < ? AND e.kind = 'turn-end' AND e.text <> ''
      ORDER BY t.id DESC, e.id DESC LIMIT 1`)
    .get(turn.sessionId, turnId);
  const { promptNumber, hasClosingWords, ...rest } = turn;
  const own = selectPrompts(db, 'turn_id = ?', turnId);
  return {
    ...rest,
    hasClosingWords: hasClosingWords === 1,
    prompts:
      own.length || promptNumber === null
        ? own
        : selectPrompts(db, 'session_id = ? AND number = ?', turn.sessionId, promptNumber),
    promptIds: listAgentPrompts(db, turnId),
    earlierPrompts: earlier.map(({ text }) => text).reverse(),
    earlierWords: words?.text ?? '',
  };
}

function listAgentPrompts(db: Database, turnId: number): string[] {
  return db
    .prepare<{ id: string }>(
      'SELECT DISTINCT agent_prompt AS id FROM prompts WHERE turn_id = ? AND agent_prompt IS NOT NULL',
    )
    .all(turnId)
    .map(({ id }) => id);
}

type TurnRow = Omit<
  StoredTurn,
  'prompts' | 'promptIds' | 'earlierPrompts' | 'earlierWords' | 'hasClosingWords'
> & {
  hasClosingWords: number;
  promptNumber: number | null;
};

function closeSilentTurns(db: Database, silentSince: number, notBeyond = Number.MAX_SAFE_INTEGER): number {
  const silent = db
    .prepare<{ id: number; last_at: number }>(`
      UPDATE turns SET closed_at = last_at, closed_by = 'gap'
      WHERE closed_at IS NULL AND (last_at < ? OR last_at > ?) RETURNING id, last_at`)
    .all(silentSince, notBeyond);
  for (const { id, last_at } of silent) addJob(db, 'distil', id, 'normal', last_at);
  return silent.length;
}
