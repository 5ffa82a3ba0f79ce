import type { ScorePart } from '../../model/score-part.ts';

/** How a memory reached an agent. */
export type InjectionSource = 'start' | 'prompt' | 'file' | 'mcp';

export interface Injection {
  agent: string;
  agentSession: string;
  source: InjectionSource;
  memoryId: number;
  tokens: number;
  reason: string;
  /** Positions of the claims that were given; missing if the whole memory was given. */
  claims?: number[];
  at: number;
}

/** Replaces the text of a context that contained something forgotten. */
export const FORGOTTEN_TEXT = '(forgotten)';

/** A context that an agent received, word for word. */
export interface NewGivenContext {
  agent: string;
  agentSession: string;
  source: InjectionSource;
  tokens: number;
  /** Null where there is no limit. */
  budget: number | null;
  /** A `GivenBody` as JSON, on one line. */
  body: string;
  at: number;
}

export interface GivenBody {
  /** Without its frame, which capture and redaction would remove. */
  text: string;
  shown: GivenMemory[];
  leftOut: { memoryId: number; reason: string; score?: number; parts?: ScorePart[] }[];
}

export interface GivenMemory {
  memoryId: number;
  how: 'full' | 'claims' | 'line';
  tokens: number;
  reasons: string[];
  score?: number;
  parts?: ScorePart[];
}

export interface GivenContext extends Omit<NewGivenContext, 'body'>, GivenBody {
  id: number;
}

export interface GivenContextFilter {
  agentSession?: string | undefined;
  memoryId?: number | undefined;
  source?: InjectionSource | undefined;
}
