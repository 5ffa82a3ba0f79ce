import type { MemoryKind } from '../store/types/memory.ts';

/** What can be found: memories and prompts. */
export type HitKind = MemoryKind | 'prompt';

export interface RecallRequest {
  /** As typed by a person or a model, with operators. Nothing in it can be an error. */
  text: string;
  /** The current project; null if there is none. */
  projectId: number | null;
  /** `project`: this one with its worktrees, and what is global. `all`: every project, this one first. */
  reach: 'project' | 'all';
  /** Memories of every kind by default. */
  kinds?: HitKind[];
  /** Context of the caller: memories of this branch and about these files rank higher. */
  branch?: string;
  files?: string[];
  /** Consecutive indexed words that every hit must contain, in addition to those of the text. */
  phrases?: string[];
  limit: number;
  now: number;
  /** Superseded memories as well; otherwise what replaced them is found in their place. */
  withSuperseded?: boolean;
  /** The query's embedding, if available. */
  vector?: Float32Array;
}

export interface Hit {
  kind: HitKind;
  id: number;
  /** From 0 to 1: the likelihood of a match. Comparable between requests. */
  score: number;
  /** Behind the cut: it has something in common with the question, but hardly answers it. */
  isWeaker: boolean;
  /** The reasons for the rank, most important first. */
  reasons: string[];
}

/** The hits up to the limit of a request, and how many there are beyond it. */
export interface HitList {
  hits: Hit[];
  /** Further hits that are not weaker. Of a query without words, counted up to `MOST_COUNTED`. */
  more: number;
}

/** Counting all memories of a large store takes longer than finding the newest of them. */
export const MOST_COUNTED = 1_000;
