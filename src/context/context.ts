import { EMPTY_FRAME, frame, NO_TEXT } from '../framing/frame.ts';
import type { Framed } from '../model/framed.ts';
import type { ScorePart } from '../model/score-part.ts';
import { costOf } from './budget.ts';

/** The context for an agent, with the memories in it. */
export interface Context {
  /** Empty if there is no context. */
  text: Framed;
  /** The text without its frame. */
  lines: string[];
  /** An upper bound: every line was counted separately. */
  tokens: number;
  shown: ShownMemory[];
  /** Considered, but not given. */
  leftOut: LeftOutMemory[];
}

export interface ShownMemory {
  memoryId: number;
  title: string;
  /** Memories in full and claims are not given again; lines may be. */
  how: 'full' | 'claims' | 'line';
  /** Positions of the claims that were given. */
  claims?: number[];
  tokens: number;
  reasons: string[];
  /** The score by which it was chosen; comparable within one context. */
  score?: number;
  /** The parts of the score, largest first. */
  parts?: ScorePart[];
}

export interface LeftOutMemory {
  memoryId: number;
  reason: string;
  score?: number;
  parts?: ScorePart[];
}

export const NO_CONTEXT: Context = Object.freeze({
  text: NO_TEXT,
  lines: [],
  tokens: 0,
  shown: [],
  leftOut: [],
});

/** Joins contexts into one frame. */
export function joinContexts(...contexts: Context[]): Context {
  const filled = contexts.filter(({ text }) => text !== '');
  if (filled.length < 2) return filled[0] ?? NO_CONTEXT;
  return wrapContext(
    filled.flatMap(({ lines }) => lines),
    {
      tokens: filled.reduce((sum, { tokens }) => sum + tokens, 0) - (filled.length - 1) * costOf(EMPTY_FRAME),
      shown: filled.flatMap(({ shown }) => shown),
      leftOut: filled.flatMap(({ leftOut }) => leftOut),
    },
  );
}

export function wrapContext(
  lines: string[],
  { tokens, shown = [], leftOut = [] }: { tokens: number; shown?: ShownMemory[]; leftOut?: LeftOutMemory[] },
): Context {
  return { text: frame(lines.join('\n')), lines, tokens, shown, leftOut };
}
