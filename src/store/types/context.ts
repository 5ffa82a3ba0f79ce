import type { ObservationType } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

export type CandidateQuery = { projectId: number; limit: number } & (
  | { which: 'recent' }
  /** Pinned ones, preferences, and what is global. */
  | { which: 'standing' }
  | { which: 'branch'; branch: string }
  | { which: 'files'; files: string[] }
);

export interface Candidate {
  id: number;
  kind: MemoryKind;
  type: ObservationType | null;
  strength: number;
  branch: string | null;
  mergedAt: number | null;
  pinnedAt: number | null;
  saidBy: string;
  scope: 'project' | 'global';
  sessionId: number | null;
  at: number;
}

export interface BranchMemories {
  /** The git common dir, or a folder outside git. */
  place: string;
  branch: string;
  commit: string;
  /** When the session began in which the first of them was made. */
  sessionBegan: number;
}

/** What is known of a turn before it is distilled. */
export interface UndistilledTurn {
  at: number;
  branch: string | null;
  /** Empty where no person asked for anything. */
  request: string;
  /** The latest first. */
  changedFiles: string[];
}
