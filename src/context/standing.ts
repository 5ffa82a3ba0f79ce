import { type Branches, isOfAnotherBranch } from '../recall/branch.ts';
import { createFreshness, freshnessWeight, freshnessWords } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/memory-store.ts';

/** How far a memory can be relied on here and now. */
export interface Standing {
  /** What has to be known first: its files have changed, its branch is another. */
  marks: string[];
  /** What its rank is multiplied with. */
  weight: number;
}

export type StandingOf = (memory: StoredMemory) => Standing;

export interface UsedFrom {
  /** The checkout in which the memories are used. */
  top: string;
  /** Only this project's files can be looked at. */
  projectId: number | null;
  branches: Branches;
}

export function createStanding({ top, projectId, branches }: UsedFrom): StandingOf {
  const freshness = createFreshness(top);
  return (memory) => {
    if (memory.projectId !== projectId) return { marks: [], weight: 1 };
    const now = freshness(memory);
    const elsewhere = isOfAnotherBranch(memory, branches) ? `learnt on branch ${memory.branch}` : '';
    const marks = [freshnessWords(now), elsewhere].filter((mark) => mark !== '');
    return { marks, weight: freshnessWeight(now) };
  };
}
