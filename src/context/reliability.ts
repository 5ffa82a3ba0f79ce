import type { Location } from '../memory/locate.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import { createFreshness, describeFreshness } from '../recall/freshness.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { freshnessWeight } from './memory-worth.ts';

/** How reliable a memory is here and now. */
export interface Reliability {
  /** Warnings: its files have changed, or it is from another branch. */
  marks: string[];
  /** Factor for its rank. */
  weight: number;
}

export type ReliabilityOf = (memory: StoredMemory) => Reliability;

/** Only files of the current project can be checked. */
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
