import type { CapturedEvent } from '../../model/agent-event.ts';
import type { Database } from './open.ts';

/** What can end a turn. After a compaction the agent goes on with the same prompt, in a turn of its own. */
type ClosedBy = 'turn-end' | 'prompt' | 'compaction' | 'session-end' | 'gap';

interface TurnRow {
  id: number;
  prompt_number: number | null;
  opened_at: number;
  closed_by: ClosedBy | null;
}

/** Groups a session's events into turns while they are taken in; a turn that closes leaves a job behind. */
export function createTurns(db: Database) {
  const rows = prepare(db);

  /** A prompt of the person ends what went before; a machine's words belong to what is going on. */
  function openFor(session: number, number: number, captured: CapturedEvent): number {
    const { event, at, via } = captured;
    const open = last(session);
    if (open && via === 'transcript' && at < open.opened_at) return addPast(session, number, at);
    if (open && !open.closed_by && event.kind === 'prompt' && event.origin === 'machine') return open.id;
    closeOpen(session, 'prompt', captured);
    return add(session, number, at);
  }

  function closeOpen(session: number, by: ClosedBy, captured: CapturedEvent): void {
    const open = last(session);
    if (open && !open.closed_by) close(open.id, by, captured);
  }

  /** The turn an event belongs to, as it is then: opened, reopened or closed by it. */
  function place(session: number, promptTurn: number | null, captured: CapturedEvent): number | null {
    const { event, at, via } = captured;
    if (event.kind === 'session-start' || event.kind === 'setup') return null;
    if (event.kind === 'session-end') {
      const open = last(session);
      if (open && !open.closed_by) close(open.id, 'session-end', captured);
      return open?.id ?? null;
    }
    const past = pastTurn(session, promptTurn, at);
    if (past) {
      enqueue(past.id, at, via);
      return past.id;
    }
    const turn = turnFor(session, promptTurn, captured);
    rows.touch.run(at, turn);
    if (event.kind === 'turn-end') close(turn, 'turn-end', captured);
    if (event.kind === 'compact-end') close(turn, 'compaction', captured);
    return turn;
  }

  /** The turn that was open when something happened of which we only hear now that it is closed. */
  function pastTurn(session: number, promptTurn: number | null, at: number): TurnRow | undefined {
    const known = promptTurn === null ? undefined : rows.byId.get(promptTurn);
    if (known && !known.closed_by) return undefined;
    return rows.during.get(session, at, at, promptTurn);
  }

  function turnFor(session: number, promptTurn: number | null, { event, at, via }: CapturedEvent): number {
    const known = promptTurn === null ? undefined : rows.byId.get(promptTurn);
    const turn = known && known.closed_by === 'prompt' ? known : (last(session) ?? known);
    if (!turn) return add(session, null, at);
    if (!turn.closed_by) return turn.id;
    if (event.kind === 'compact-start' || event.kind === 'compact-end') return add(session, null, at);
    if (turn.closed_by === 'compaction') return add(session, turn.prompt_number, at);
    // It came late: the turn is over, but has to be looked at again. A transcript also tells what was after the last hook.
    const isOver = turn.closed_by === 'prompt' || (turn.closed_by === 'session-end' && via === 'transcript');
    if (isOver) enqueue(turn.id, at, via);
    else rows.reopen.run(turn.id);
    return turn.id;
  }

  /** The open one is the last one, also where turns of the past were added after it. */
  function last(session: number): TurnRow | undefined {
    return rows.open.get(session) ?? rows.last.get(session);
  }

  function add(session: number, promptNumber: number | null, at: number): number {
    return Number(rows.add.run(session, promptNumber, at, at).lastInsertRowid);
  }

  /** A prompt of which we hear after a later one; that later one has ended its turn. */
  function addPast(session: number, promptNumber: number, at: number): number {
    const turn = add(session, promptNumber, at);
    const next = rows.nextOpening.get(session, at);
    rows.close.run(next?.at ?? at, 'prompt', turn);
    enqueue(turn, at, 'transcript');
    return turn;
  }

  function close(turn: number, by: ClosedBy, { at, via }: CapturedEvent): void {
    rows.close.run(at, by, turn);
    enqueue(turn, at, via);
  }

  /** What a transcript tells is the past, and can wait for the present. */
  function enqueue(turn: number, at: number, via: string): void {
    rows.enqueue.run(turn, via === 'transcript' ? 1 : 0, turn, at);
  }

  return { openFor, closeOpen, place };
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
