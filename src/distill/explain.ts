import { readTurnWords } from '../capture/agent-words.ts';
import type { Paths } from '../platform/paths.ts';
import type { TurnStore } from '../store/store.ts';
import { findLaterCorrector, readLaterCorrections } from './corrections/correct-session.ts';
import type { Corrector } from './corrections/find-corrected.ts';
import { explainTurn } from './offline/distill.ts';
import { describeReasons, describeSource } from './offline/rating/reasons.ts';
import { type ReadWords, splitTurn } from './split-turn.ts';

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
export function explainStoredTurn(store: TurnStore, paths: Paths, turnId: number): TurnExplanation | null {
  const stored = store.readTurn(turnId);
  if (!stored) return null;
  const readWords: ReadWords = (turn) => readTurnWords(paths, turn).words;
  const turns = splitTurn(store, stored, readWords(stored));
  const later = readLaterCorrections(store, stored, readWords);
  const kept: ExplainedSentence[] = [];
  const dropped: ExplainedSentence[] = [];
  for (const turn of turns) {
    const explained = explainTurn(turn);
    const files = turn.calls.flatMap((call) =>
      call.files.flatMap(({ how, path }) => (how === 'write' ? [path] : [])),
    );
    for (const claim of explained.claims) {
      const sentence = { text: claim.statement, from: describeSource(claim.from) };
      const byPerson = claim.from === 'person' || claim.from === 'answer';
      const reportOf = byPerson ? undefined : stored.id;
      const corrected = findLaterCorrector({ text: claim.text, files, byPerson, reportOf }, later);
      if (corrected) dropped.push({ ...sentence, why: [describeCorrection(corrected)] });
      else kept.push({ ...sentence, why: describeReasons(claim) });
    }
    for (const { text, from, why } of explained.dropped)
      dropped.push({ text, from: describeSource(from), why: [why] });
  }
  return { prompt: stored.prompts[0]?.number ?? null, kept, dropped };
}

function describeCorrection({ by, prompt }: { by: Corrector; prompt: number | null }): string {
  const where = prompt === null ? '' : ` ${by === 'person' ? 'in' : 'after'} prompt ${prompt}`;
  return by === 'edit' ? `replaced later by an edit${where}` : `corrected later by the ${by}${where}`;
}
