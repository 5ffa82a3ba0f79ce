import { readTurnWords } from '../capture/agent-words.ts';
import type { Paths } from '../platform/paths.ts';
import type { MemoryStore } from '../store/store.ts';
import { splitTurn } from './distill-turn.ts';
import { describeReasons, describeSource } from './offline/claims/reasons.ts';
import { explainTurn } from './offline/distill.ts';

/** A sentence of a turn, who said it, and why it was kept or not. */
export interface ExplainedSentence {
  text: string;
  from: string;
  why: string[];
}

export interface TurnExplanation {
  prompt: number | null;
  kept: ExplainedSentence[];
  dropped: ExplainedSentence[];
}

/**
 * The offline distiller gives the same result each time, so what it thought of a turn need not be stored. Null when the
 * raw events are no longer kept.
 */
export function explainStoredTurn(store: MemoryStore, paths: Paths, turnId: number): TurnExplanation | null {
  const stored = store.readTurn(turnId);
  if (!stored) return null;
  const pieces = splitTurn(store, stored, readTurnWords(paths, stored).words).map(explainTurn);
  const kept = pieces.flatMap(({ claims }) =>
    claims.map((claim) => ({
      text: claim.statement,
      from: describeSource(claim.from),
      why: describeReasons(claim),
    })),
  );
  const dropped = pieces.flatMap((piece) =>
    piece.dropped.map(({ text, from, why }) => ({ text, from: describeSource(from), why: [why] })),
  );
  return { prompt: stored.prompts[0]?.number ?? null, kept, dropped };
}
