import type { MemoryKind } from '../store/types/memory.ts';

/** What can be found: memories, and what people asked, as a kind of its own. */
export type HitKind = MemoryKind | 'prompt';

export interface RecallRequest {
  /** As a person or a model types it, operators and all. Nothing in it can be an error. */
  text: string;
  /** The project it is asked from; null when there is none. */
  projectId: number | null;
  /** `project`: this one with its worktrees, and what is global. `all`: every project, this one first. */
  reach: 'project' | 'all';
  /** Which kinds; memories of every kind unless said. */
  kinds?: HitKind[];
  /** What the asker works on: memories of this branch and about these files come first. */
  branch?: string;
  files?: string[];
  limit: number;
  now: number;
  /** The text's meaning, where an embedder is configured and answered. */
  vector?: Float32Array;
}

export interface Hit {
  kind: HitKind;
  id: number;
  /** From 0 to 1: how likely it is what was asked for. Comparable between requests. */
  score: number;
  /** Why it stands where it stands, the weightiest first, in words for people. */
  reasons: string[];
}
