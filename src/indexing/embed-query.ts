import type { EmbedderAccess } from '../config/environment.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Paths } from '../platform/paths.ts';
import type { VectorIndex } from '../store/types/vector.ts';
import { clipText } from './embed-text.ts';
import { clearEmbedderProblem, readEmbedderProblem, saveEmbedderProblem } from './embedder-problem.ts';
import { createEmbedder, type EmbedderSettings } from './embedders/create.ts';
import { EmbedderError } from './embedders/embedder.ts';

export interface EmbedQueryOptions {
  paths: Paths;
  settings: EmbedderSettings;
  access: () => EmbedderAccess;
  /** Only redacted text leaves the machine. */
  clean: (text: string) => Redacted;
  now: () => number;
  /** Maximum wait of a search. */
  mostMs: number;
}

export interface QueryEmbedding {
  vector?: Float32Array;
  /** Why there is no vector, for the person or agent. Search by words still works. */
  trouble?: string;
}

const NEVER = new AbortController().signal;

/** The embedding of a query, if an embedder is configured, has an index, and answers in time. */
export async function embedQuery(
  text: string,
  index: VectorIndex | null,
  options: EmbedQueryOptions,
): Promise<QueryEmbedding> {
  const { paths, settings, access, clean, now, mostMs } = options;
  if (settings['embedder.provider'] === 'none' || !index?.dimension) return {};
  const known = readEmbedderProblem(paths);
  if (known && now() < known.retryAt) return { trouble: known.why };
  try {
    const embedder = createEmbedder(settings, access());
    // Another embedder was configured; its index is not built yet.
    if (!embedder || clean(embedder.id) !== index.embedder) return {};
    const query = clipText(clean(text).trim());
    if (query === '') return {};
    const [vector] = await embedder.embed([query], 'query', { timeoutMs: mostMs, signal: NEVER });
    if (known) clearEmbedderProblem(paths);
    if (!vector || vector.length !== index.dimension) return { trouble: otherLength(index, vector?.length) };
    return { vector };
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    saveEmbedderProblem(paths, { why: clean(error.message), retryAfterMs: error.retryAfterMs }, now());
    return { trouble: error.message };
  }
}

function otherLength({ embedder, dimension }: VectorIndex, length: number | undefined): string {
  return `${embedder} gives ${length ?? 0} numbers now, the index has ${dimension}. Rebuild it: cairn index rebuild`;
}
