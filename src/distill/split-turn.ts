import type { AgentWords } from '../capture/agent-words.ts';
import type { TurnStore } from '../store/store.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { readTurn } from './read-turn.ts';
import type { Turn } from './turn.ts';

/** Longer turns are distilled in pieces, to limit memory use. */
const EVENTS_IN_A_PIECE = 1_000;

/** Reads what the agent said between the calls of a turn. */
export type ReadWords = (turn: StoredTurn) => AgentWords[];

export function splitTurn(store: TurnStore, stored: StoredTurn, words: AgentWords[] = []): Turn[] {
  const pieces: Turn[] = [];
  let left = words;
  for (let after = 0; ; ) {
    // One more than needed shows whether this piece is the last.
    const found = store.listTurnEvents(stored.id, after, EVENTS_IN_A_PIECE + 1);
    const events = found.slice(0, EVENTS_IN_A_PIECE);
    const isLast = events.length === found.length;
    pieces.push(readTurn(stored, events, isLast, left));
    const last = events.at(-1);
    if (isLast || !last) return pieces;
    const calls = new Set(events.map(({ callId }) => callId));
    left = left.filter(({ nextCall }) => nextCall === null || !calls.has(nextCall));
    after = last.id;
  }
}
