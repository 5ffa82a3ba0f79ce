import type { ObservationType } from '../../model/memory.ts';
import type { MemoryKind } from './memory.ts';

/** Which memories of colleagues are given: none, only notes, or all. */
export type TeamShare = 'off' | 'notes' | 'all';

export type CandidateQuery = { projectId: number; limit: number; team: TeamShare } & (
  | { which: 'recent' }
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
  place: string;
  branch: string;
  commit: string;
  /** When the session of the first of them started. */
  sessionBegan: number;
}

/** A turn before it is distilled. */
export interface UndistilledTurn {
  at: number;
  branch: string | null;
  request: string;
  changedFiles: string[];
}
