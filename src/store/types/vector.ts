import type { Summary } from '../../model/memory.ts';

export interface VectorIndex {
  embedder: string;
  /** Null before the first vector. */
  dimension: number | null;
  begunAt: number;
  pending: number;
}

export interface VectorSource {
  memoryId: number;
  /** Must be returned with the vector: it tells whether the memory changed meanwhile. */
  changes: number;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  parts: Summary | null;
  aliases: string[];
}

export interface NewVector {
  memoryId: number;
  changes: number;
  vector: Float32Array;
}

/** Parallel lists: search documents, and the cosine of each. */
export interface VectorComparison {
  docs: number[];
  cosines: number[];
}
