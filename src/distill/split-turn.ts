import type { AgentWords } from '../capture/agent-words.ts';
import type { TurnStore } from '../store/store.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { readTurn } from './read-turn.ts';
import type { Turn } from './turn.ts';

/** Longer turns are distilled in pieces, to limit memory use. */
const CALLS_IN_A_PIECE = 1_000;

/** Reads what the agent said between the calls of a turn. */
export type ReadWords = (turn: StoredTurn) => AgentWords[];

export function splitTurn(store: TurnStore, stored: StoredTurn, words: AgentWords[] = []): Turn[] {
  const pieces: Turn[] = [];
  for (let after = 0; ; ) {
    const events = store.listTurnEvents(stored.id, after, CALLS_IN_A_PIECE);
    const isLast = events.length < CALLS_IN_A_PIECE;
    if (events.length > 0 || pieces.length === 0) pieces.push(readTurn(stored, events, isLast, words));
    const last = events.at(-1);
    if (isLast || !last) return pieces;
    after = last.id;
  }
}
