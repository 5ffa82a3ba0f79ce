import type { Redacted } from '../model/redacted.ts';
import type { VectorStore } from '../store/vector-store.ts';
import { cutToSize, embedTextOf } from './embed-text.ts';
import type { Embedder } from './embedders/embedder.ts';

export interface Embedding {
  embedder: Embedder;
  /** Only what is clean leaves the machine. */
  clean: (text: string) => Redacted;
  now: () => number;
  timeoutMs: number;
  signal: AbortSignal;
}

const TEXTS_AT_ONCE = 32;

/** Begins the index anew where it is not this embedder's. @returns whether it did. */
export function pinEmbedder(store: VectorStore, embedder: Redacted, now: number): boolean {
  if (store.vectorIndex()?.embedder === embedder) return false;
  store.beginVectors(embedder, now);
  return true;
}

/** One batch of memories that have no vector yet. @returns how many. */
export async function embedPending(
  store: VectorStore,
  { embedder, clean, now, timeoutMs, signal }: Embedding,
): Promise<number> {
  const sources = store.pendingVectors(TEXTS_AT_ONCE);
  if (sources.length === 0) return 0;
  // A server may refuse an empty text; it would mean nothing anyway.
  const texts = sources.map((source) => cutToSize(clean(embedTextOf(source))) || '-');
  const vectors = await embedder.embed(texts, 'memory', { timeoutMs, signal });
  const made = sources.flatMap(({ memoryId, changes }, index) => {
    const vector = vectors[index];
    return vector ? [{ memoryId, changes, vector }] : [];
  });
  // Another model answers to the same name by now: its vectors cannot stand beside the old ones.
  if (store.saveVectors(made) === 'other-length') {
    store.beginVectors(clean(embedder.id), now());
    store.saveVectors(made);
  }
  return made.length;
}
