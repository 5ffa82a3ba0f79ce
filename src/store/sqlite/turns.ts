import type { CapturedEvent } from '../../model/agent-event.ts';
import type { Database } from './open.ts';
import { type ClosedBy, createTurnTable, type TurnRow, type TurnTable } from './turn-table.ts';

/** Groups a session's events into turns during ingest; a closed turn creates a job. */
export function createTurnWriter(db: Database) {
  const turns = createTurnTable(db);

  return {
    /** A person's prompt ends the previous turn; a machine's prompt belongs to the current one. */
    openFor(session: number, number: number, captured: CapturedEvent): number {
      const { event, at, via } = captured;
      const last = turns.last(session);
      if (last && via === 'transcript' && at < last.opened_at)
        return turns.givePrompt(session, number, at) ?? turns.addPast(session, number, at);
      if (last && !last.closed_by && event.kind === 'prompt' && event.origin === 'machine') return last.id;
      closeOpen(turns, session, 'prompt', captured);
      return turns.add(session, number, at);
    },
    closeOpen: (session: number, by: ClosedBy, captured: CapturedEvent): void =>
      void closeOpen(turns, session, by, captured),
    /** The turn of an event, which may open, reopen or close it. */
    place(session: number, promptTurn: number | null, captured: CapturedEvent): number | null {
      const { event, at, via } = captured;
      if (event.kind === 'session-start' || event.kind === 'setup') return null;
      if (event.kind === 'session-end') return closeOpen(turns, session, 'session-end', captured)?.id ?? null;
      const past = findPastTurn(turns, session, promptTurn, at);
      if (past) {
        turns.enqueue(past.id, at, via);
        return past.id;
      }
      const turn = findOrAddTurn(turns, session, promptTurn, captured);
      turns.touch(turn, at);
      if (event.kind === 'turn-end') turns.close(turn, 'turn-end', captured);
      if (event.kind === 'compact-end') turns.close(turn, 'compaction', captured);
      return turn;
    },
  };
}

/** @returns the session's last turn, as it was before. */
function closeOpen(
  turns: TurnTable,
  session: number,
  by: ClosedBy,
  captured: CapturedEvent,
): TurnRow | undefined {
  const last = turns.last(session);
  if (last && !last.closed_by) turns.close(last.id, by, captured);
  return last;
}

/** The turn that was open when a late event happened. */
function findPastTurn(
  turns: TurnTable,
  session: number,
  promptTurn: number | null,
  at: number,
): TurnRow | undefined {
  const known = turns.byId(promptTurn);
  return known && !known.closed_by ? undefined : turns.during(session, at, promptTurn);
}

function findOrAddTurn(
  turns: TurnTable,
  session: number,
  promptTurn: number | null,
  { event, at, via }: CapturedEvent,
): number {
  const known = turns.byId(promptTurn);
  const turn = known && known.closed_by === 'prompt' ? known : (turns.last(session) ?? known);
  if (!turn) return turns.add(session, null, at);
  if (!turn.closed_by) return turn.id;
  if (event.kind === 'compact-start' || event.kind === 'compact-end') return turns.add(session, null, at);
  if (turn.closed_by === 'compaction') return turns.add(session, turn.prompt_number, at);
  // A late event of a turn that is over: it is distilled again. A transcript also has events after the last hook.
  const isOver = turn.closed_by === 'prompt' || (turn.closed_by === 'session-end' && via === 'transcript');
  if (isOver) turns.enqueue(turn.id, at, via);
  else turns.reopen(turn.id);
  return turn.id;
}
