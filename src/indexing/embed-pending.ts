import type { Redacted } from '../model/redacted.ts';
import type { VectorStore } from '../store/store.ts';
import { buildEmbedText, clipText } from './embed-text.ts';
import type { Embedder } from './embedders/embedder.ts';

export interface EmbedOptions {
  embedder: Embedder;
  /** Only redacted text leaves the machine. */
  clean: (text: string) => Redacted;
  now: () => number;
  timeoutMs: number;
  signal: AbortSignal;
}

const TEXTS_AT_ONCE = 32;

/** Clears the index if it belongs to another embedder. @returns whether it did. */
export function adoptEmbedder(store: VectorStore, embedder: Redacted, now: number): boolean {
  if (store.getVectorIndex()?.embedder === embedder) return false;
  store.startVectorIndex(embedder, now);
  return true;
}

/** Embeds one batch of memories without a vector. @returns how many. */
export async function embedPending(
  store: VectorStore,
  { embedder, clean, now, timeoutMs, signal }: EmbedOptions,
): Promise<number> {
  const sources = store.listPendingVectors(TEXTS_AT_ONCE);
  if (sources.length === 0) return 0;
  // A server may reject an empty text.
  const texts = sources.map((source) => clipText(clean(buildEmbedText(source))) || '-');
  const vectors = await embedder.embed(texts, 'memory', { timeoutMs, signal });
  const newVectors = sources.flatMap(({ memoryId, changes }, index) => {
    const vector = vectors[index];
    return vector ? [{ memoryId, changes, vector }] : [];
  });
  // Another model uses the same name now, and its vectors are not comparable with the old ones.
  if (store.saveVectors(newVectors) === 'other-length') {
    store.startVectorIndex(clean(embedder.id), now());
    store.saveVectors(newVectors);
  }
  return newVectors.length;
}
