import { markDamaged } from '../capture/damage-mark.ts';
import { drainUntil } from '../capture/drain.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { holdStore } from '../memory/hold-store.ts';
import { classifyMemoryError } from '../memory/memory-error.ts';
import { type MemoryOptions, wakeForPendingJobs } from '../memory/memory-options.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { describeError } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import { ToolError } from './tools/tool-error.ts';

/** How long an agent waits for another process that is writing. */
const BUSY_MS = 2_000;
/** The time limit for pending spool files and index entries. The worker does the rest. */
const CATCH_UP_MS = 300;

export interface Memory {
  /** Runs one task at a time. @throws ToolError if the memory cannot be used. */
  ask<T>(work: (store: Store) => Promise<T>): Promise<T>;
  close(): void;
}

/** Passes the store to each call, after a short intake. */
export function openMemory(options: MemoryOptions): Memory {
  const held = holdStore(options.paths.database, { busyMs: BUSY_MS, readsIfNotWritable: true });

  async function ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    try {
      const store = held.store();
      indexPendingDocs(options, store);
      return await work(store);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (classifyMemoryError(error) !== 'busy') held.close();
      throw explain(options, error, held.openedFile());
    }
  }

  return { ask, close: held.close };
}

/** Logs errors instead of throwing: they only make the answer less fresh. */
function indexPendingDocs(options: MemoryOptions, store: Store): void {
  const { log, now } = options;
  try {
    const until = now() + CATCH_UP_MS;
    const ingested = drainUntil(options, store, { until });
    updateIndex(store, { until, now });
    wakeForPendingJobs(options, store, { left: ingested?.left ?? 0, dueBy: now() });
  } catch (error) {
    if (isStoreError(error, 'damaged')) throw error;
    log.warn('memory not updated', { cause: describeError(error) });
  }
}

function explain({ paths, log, wakeWorker }: MemoryOptions, error: unknown, file: string | null): ToolError {
  log.warn('memory not available to a tool', { cause: describeError(error) });
  const message = error instanceof Error ? error.message : String(error);
  switch (classifyMemoryError(error)) {
    case 'damaged':
      markDamaged(paths, file);
      wakeWorker();
      return new ToolError(
        withCairnCommand(
          "Cairn's database is damaged. It is being rebuilt; try again in a minute, or tell the person to run: cairn doctor",
        ),
      );
    case 'busy':
      return new ToolError("Cairn's database is locked by another program. Try again in a moment.");
    case 'full-disk':
    case 'newer':
    case 'read-only':
      return new ToolError(message);
    default:
      return new ToolError(
        withCairnCommand(`Cairn's memory cannot be read (${message}). Tell the person to run: cairn doctor`),
      );
  }
}
