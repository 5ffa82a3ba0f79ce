import type { Location } from '../memory/locate.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import { createFreshness, describeFreshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { freshnessWeight } from './memory-worth.ts';

/** How far a memory can be relied on here and now. */
export interface Reliability {
  /** What has to be known first: its files have changed, its branch is another. */
  marks: string[];
  /** What its rank is multiplied with. */
  weight: number;
}

export type ReliabilityOf = (memory: StoredMemory) => Reliability;

/** Only files of the project that one works in can be looked at. */
export function createReliability({
  top,
  project,
  branches,
}: Pick<Location, 'top' | 'project' | 'branches'>): ReliabilityOf {
  const freshness = createFreshness(top);
  return (memory) => {
    if (memory.projectId !== (project?.id ?? null)) return { marks: [], weight: 1 };
    const now = freshness(memory);
    const elsewhere = isOfAnotherBranch(memory, branches) ? `learnt on branch ${memory.branch}` : '';
    const marks = [describeFreshness(now), elsewhere].filter((mark) => mark !== '');
    return { marks, weight: freshnessWeight(now) };
  };
}
