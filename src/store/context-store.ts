import type { ObservationType } from '../model/memory.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Injection } from './injection-store.ts';
import type { MemoryKind, StoredMemory } from './memory-store.ts';

/** What is asked while an agent waits: light rows to choose from, whole memories only of the chosen. */
export interface ContextStore {
  /** Observations and notes that are not superseded, the latest first. */
  candidates(query: CandidateQuery): Candidate[];
  memoriesById(ids: number[]): StoredMemory[];
  /** The last checkpoint of each of the latest sessions, the latest first. */
  lastSummaries(query: { projectId: number; limit: number }): StoredMemory[];
  /** What a session itself has taught, the latest first. */
  memoriesOfSession(agentSession: string, limit: number): StoredMemory[];
  /** Worth telling before this file is read, the latest first. */
  memoriesAboutFile(query: { projectId: number; path: string; limit: number }): StoredMemory[];
  /** The files of which there is something worth telling to somebody who does not know it, the latest first. */
  filesWorthTelling(query: {
    projectId: number;
    unknownTo: { agentSession: string; since: number };
    limit: number;
  }): string[];
  /** What a session has been given since then, and what it has taught itself. */
  knownTo(agentSession: string, since: number): Set<number>;
  /** When a session was last seen, and when its context was last compacted away. */
  sessionTimes(agentSession: string): { lastSeen: number; compactedAt: number } | null;
  /**
   * Notes down what is about to be given. @returns what was noted: without the memories that this session was
   * given since then, by whichever door.
   */
  giveOnce(injections: Redacted<Injection>[], since: number): Injection[];
  /** Memories that hold on a branch only, by branch and commit; those of a main branch hold everywhere. */
  memoriesOnBranches(mains: { place: string; branch: string }[]): BranchMemories[];
  /** From now on these hold everywhere. @returns how many they are. */
  noteMerged(where: Pick<BranchMemories, 'place' | 'branch' | 'commit'>, at: number): number;
}

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
