import { redactValue } from '../capture/redact/redact-value.ts';
import type { EmbedderAccess } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { adoptEmbedder, embedPending } from '../indexing/embed-pending.ts';
import { clearEmbedderProblem, saveEmbedderProblem } from '../indexing/embedder-problem.ts';
import { createEmbedder } from '../indexing/embedders/create.ts';
import { type Embedder, EmbedderError } from '../indexing/embedders/embedder.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { retryAt } from '../queue/backoff.ts';
import type { Store } from '../store/store.ts';

/** A local server may have to load the model first. */
const TIMEOUT_MS = 60_000;
/** After this many failures pending memories no longer keep this worker running; the next worker or a search tries again. */
const MOST_FAILURES = 6;

export interface EmbeddingOptions {
  paths: Paths;
  settings: Settings;
  access: EmbedderAccess;
  log: Log;
  now: () => number;
}

/** Embeds memories in batches. If it fails, search by words still works. */
export interface Embedding {
  embed(store: Store, stop: AbortSignal): Promise<boolean>;
  /** When to embed next; null if nothing is pending or this worker has given up. */
  nextAt(store: Store): number | null;
}

export function createEmbedding({ paths, settings, access, log, now }: EmbeddingOptions): Embedding {
  let embedder: Embedder | null = null;
  let pausedUntil = 0;
  let failuresInARow = 0;
  let isStopped = false;

  async function embed(store: Store, stop: AbortSignal): Promise<boolean> {
    if (isStopped || stop.aborted || now() < pausedUntil) return false;
    try {
      embedder ??= createEmbedder(settings, access);
      if (!embedder) return false;
      if (adoptEmbedder(store, redactValue(embedder.id), now()))
        log.info('vectors begun', { embedder: embedder.id });
      const limits = { timeoutMs: TIMEOUT_MS, signal: stop };
      const made = await embedPending(store, { embedder, clean: redactValue, now, ...limits });
      if (made === 0) return false;
      failuresInARow = 0;
      clearEmbedderProblem(paths);
      log.debug('memories embedded', { count: made });
      return true;
    } catch (error) {
      if (stop.aborted) return false;
      if (!(error instanceof EmbedderError)) throw error;
      handle(error);
      return false;
    }
  }

  /** Problems that need the person are retried by the next worker. */
  function handle(trouble: EmbedderError): void {
    failuresInARow++;
    pausedUntil = trouble.retryAfterMs ? now() + trouble.retryAfterMs : retryAt(failuresInARow, now());
    isStopped = trouble.kind === 'lasting';
    const { message, retryAfterMs } = trouble;
    saveEmbedderProblem(paths, { why: redactValue(message), retryAfterMs }, now());
    log.warn('memories not embedded', { kind: trouble.kind, reason: trouble.message });
  }

  function nextAt(store: Store): number | null {
    if (isStopped || failuresInARow >= MOST_FAILURES) return null;
    return (store.getVectorIndex()?.pending ?? 0) > 0 ? pausedUntil : null;
  }

  return { embed, nextAt };
}
