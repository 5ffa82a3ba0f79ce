import type { Summary } from '../model/memory.ts';
import type { Redacted } from '../model/redacted.ts';
import type { SearchFilter } from './search-store.ts';

/** The index of what memories mean: derived, and of one embedder at a time. */
export interface VectorStore {
  /** Null as long as no embedder was ever at work. */
  vectorIndex(): VectorIndex | null;
  countVectors(): number;
  /** From here on vectors of this embedder only; what another one made is dropped. */
  beginVectors(embedder: Redacted, now: number): void;
  /** No vectors, and none to be made. */
  dropVectors(): void;
  /** The next memories without a vector, the newest first. */
  pendingVectors(limit: number): VectorSource[];
  /**
   * Keeps the vectors of those memories that have not changed since they were asked for. All vectors of an index
   * are of one length: `other-length` when these are not, and then none is kept.
   */
  saveVectors(vectors: MadeVector[]): 'saved' | 'other-length';
  /** How near each memory that fits is to a vector; nothing when the vector is of another length than theirs. */
  compareVectors(vector: Float32Array, filter: SearchFilter): VectorComparison;
}

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

export interface MadeVector {
  memoryId: number;
  changes: number;
  vector: Float32Array;
}

/** Two lists of one length: search documents, and the cosine of each with what was asked. */
export interface VectorComparison {
  docs: number[];
  cosines: number[];
}
