import type { CapturedEvent } from '../../model/agent-event.ts';
import type { Database } from './open.ts';

/** What ends a turn. After a compaction the agent continues the same prompt in a new turn. */
export type ClosedBy = 'turn-end' | 'prompt' | 'compaction' | 'session-end' | 'gap';

export interface TurnRow {
  id: number;
  prompt_number: number | null;
  opened_at: number;
  closed_by: ClosedBy | null;
}

export type TurnTable = ReturnType<typeof createTurnTable>;

/** The rows of turns and their jobs; each statement is prepared once per batch. */
export function createTurnTable(db: Database) {
  const rows = prepare(db);

  function add(session: number, promptNumber: number | null, at: number): number {
    return Number(rows.add.run(session, promptNumber, at, at).lastInsertRowid);
  }

  /** Past sessions from transcripts can wait for current ones. */
  function enqueue(turn: number, at: number, via: string): void {
    rows.enqueue.run(turn, via === 'transcript' ? 1 : 0, turn, at);
  }

  return {
    /** The open turn counts as the last one, even if past turns were added after it. */
    last: (session: number): TurnRow | undefined => rows.open.get(session) ?? rows.last.get(session),
    byId: (id: number | null): TurnRow | undefined => (id === null ? undefined : rows.byId.get(id)),
    /** A closed turn that was open at that time, preferably `preferred`. */
    during: (session: number, at: number, preferred: number | null): TurnRow | undefined =>
      rows.during.get(session, at, at, preferred),
    add,
    /** Adds a closed turn for a prompt that is reported after a later prompt. */
    addPast(session: number, promptNumber: number, at: number): number {
      const turn = add(session, promptNumber, at);
      const next = rows.nextOpening.get(session, at);
      rows.close.run(next?.at ?? at, 'prompt', turn);
      enqueue(turn, at, 'transcript');
      return turn;
    },
    /**
     * Assigns a prompt that no hook reported to the turn that its events have opened. @returns null if the next turn has
     * a prompt already.
     */
    givePrompt(session: number, promptNumber: number, at: number): number | null {
      const turn = rows.next.get(session, at);
      if (!turn || turn.prompt_number !== null) return null;
      rows.setPrompt.run(promptNumber, at, turn.id);
      rows.setPromptOfEvents.run(promptNumber, turn.id);
      enqueue(turn.id, at, 'transcript');
      return turn.id;
    },
    touch: (turn: number, at: number): void => void rows.touch.run(at, turn),
    close(turn: number, by: ClosedBy, { at, via }: CapturedEvent): void {
      rows.close.run(at, by, turn);
      enqueue(turn, at, via);
    },
    reopen: (turn: number): void => void rows.reopen.run(turn),
    enqueue,
  };
}

function prepare(db: Database) {
  const columns = 'id, prompt_number, opened_at, closed_by';
  return {
    open: db.prepare<TurnRow>(
      `SELECT ${columns} FROM turns WHERE session_id = ? AND closed_at IS NULL ORDER BY id DESC LIMIT 1`,
    ),
    last: db.prepare<TurnRow>(`SELECT ${columns} FROM turns WHERE session_id = ? ORDER BY id DESC LIMIT 1`),
    byId: db.prepare<TurnRow>(`SELECT ${columns} FROM turns WHERE id = ?`),
    during: db.prepare<TurnRow>(`
      SELECT ${columns} FROM turns WHERE session_id = ? AND opened_at <= ? AND closed_at > ?
      ORDER BY id = ? DESC, id DESC LIMIT 1`),
    next: db.prepare<TurnRow>(
      `SELECT ${columns} FROM turns WHERE session_id = ? AND opened_at >= ? ORDER BY opened_at, id LIMIT 1`,
    ),
    setPrompt: db.prepare('UPDATE turns SET prompt_number = ?, opened_at = ? WHERE id = ?'),
    setPromptOfEvents: db.prepare(
      'UPDATE events SET prompt_number = ? WHERE turn_id = ? AND prompt_number IS NULL',
    ),
    nextOpening: db.prepare<{ at: number | null }>(
      'SELECT min(opened_at) AS at FROM turns WHERE session_id = ? AND opened_at > ?',
    ),
    add: db.prepare('INSERT INTO turns (session_id, prompt_number, opened_at, last_at) VALUES (?, ?, ?, ?)'),
    touch: db.prepare('UPDATE turns SET last_at = max(last_at, ?) WHERE id = ?'),
    close: db.prepare('UPDATE turns SET closed_at = ?, closed_by = ? WHERE id = ?'),
    reopen: db.prepare('UPDATE turns SET closed_at = NULL, closed_by = NULL WHERE id = ?'),
    enqueue: db.prepare(`
      INSERT INTO jobs (kind, turn_id, priority, created_at)
      VALUES ('distil', ?,
        CASE WHEN ? THEN 'low' WHEN EXISTS (SELECT 1 FROM events WHERE turn_id = ? AND priority = 'high') THEN 'high' ELSE 'normal' END,
        ?)
      ON CONFLICT (kind, turn_id) DO UPDATE SET generation = generation + 1, state = 'waiting', attempts = 0,
        not_before = 0, error = NULL`),
  };
}
