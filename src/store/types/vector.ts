import type { Summary } from '../../model/memory.ts';

export interface VectorIndex {
  embedder: string;
  /** How long its vectors are; null before the first one. */
  dimension: number | null;
  begunAt: number;
  /** How many memories have no vector yet. */
  pending: number;
}

export interface VectorSource {
  memoryId: number;
  /** To be given back with its vector. */
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

/** Two lists of one length: search documents, and the cosine of each with what was asked. */
export interface VectorComparison {
  docs: number[];
  cosines: number[];
}
