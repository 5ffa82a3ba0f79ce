import { markDamaged } from '../capture/damage-mark.ts';
import { drain } from '../capture/drain.ts';
import { listSpool } from '../capture/spool.ts';
import { identifyFile } from '../platform/files.ts';
import { describeError } from '../platform/log.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import { classifyMemoryError, describeMemoryError, openInHome, UnusableHomeError } from './memory-error.ts';
import { type MemoryOptions, wakeForPendingJobs } from './memory-options.ts';

/** How long a change waits for another process that ingests or writes. */
const CHANGE_WAIT_MS = 3_000;
/** How long a reader waits for a process that writes. */
const READ_BUSY_MS = 200;
/** How long a reader waits for another intake. While that makes progress it waits longer. */
const READ_INTAKE_MS = 500;
const LONGEST_READ_WAIT_MS = 3_000;

export interface MemoryClient extends MemoryOptions {
  /** Tells the person why the answer may be incomplete. `waiting`: events in the spool. */
  onIncomplete(cause: string, waiting: number): void;
}

/** Updates data derived from events, with a writable store. If it fails, readers get older data. */
export type Refresh = (store: Store) => void;

/**
 * The store for a change, after everything in the spool was ingested. Readers use `readStore`, which does not need the
 * write lock.
 */
export function changeStore<T>(user: MemoryClient, change: (store: Store) => T): T {
  const cause = ingestAll(user);
  const tellIncomplete = () => cause !== null && user.onIncomplete(cause, listSpool(user.paths).length);
  try {
    const result = withRebuild(user, () =>
      useStore(user, openSqliteStore, (store) => {
        const changed = change(store);
        // The worker sends the change to the team.
        if (store.hasTeamWork()) user.wakeWorker();
        return changed;
      }),
    );
    tellIncomplete();
    return result;
  } catch (error) {
    // An error of the database or the disk is also why events are not stored: one message is enough.
    if (!(error instanceof UnusableHomeError) && classifyMemoryError(error) === 'unknown') tellIncomplete();
    throw error;
  }
}

/**
 * The store for reading. Pending spool files are ingested first if that is quick; a busy or read-only database, or a
 * full disk, is not an error.
 */
export function readStore<T>(user: MemoryClient, read: (store: Store) => T, refresh?: Refresh): T {
  const notIngested = ingestBriefly(user);
  return withRebuild(user, () => {
    const cause = notIngested ?? (refresh ? tryRefresh(user, refresh) : null);
    const waiting = cause ? listSpool(user.paths).length : 0;
    if (cause && waiting > 0) user.onIncomplete(cause, waiting);
    return useStore(user, openReadingStore, read);
  });
}

/** @returns why events are not stored; null if all are, or another process is storing them. */
function ingestAll({ paths, settings, log }: MemoryClient): string | null {
  const drained = drain({ paths, settings, log, lockMs: CHANGE_WAIT_MS, busyMs: CHANGE_WAIT_MS });
  if (drained.state !== 'failed') return null;
  if (isStoreError(drained.error, 'newer')) throw drained.error;
  return drained.error instanceof Error ? drained.error.message : String(drained.error);
}

/** @returns why some events are not stored; null if all are. */
function ingestBriefly({ paths, settings, log, now }: MemoryClient): string | null {
  const until = now() + LONGEST_READ_WAIT_MS;
  for (;;) {
    const before = listSpool(paths).length;
    const drained = drain({
      ...{ paths, settings, log, isBrief: true },
      lockMs: READ_INTAKE_MS,
      busyMs: READ_BUSY_MS,
    });
    if (drained.state === 'done') return null;
    if (drained.state === 'failed') {
      if (isStoreError(drained.error, 'newer')) throw drained.error;
      return describeMemoryError(drained.error);
    }
    const left = listSpool(paths).length;
    if (left === 0) return null;
    if (left >= before || now() >= until) return 'another process is ingesting events.';
  }
}

function tryRefresh({ paths, log }: MemoryClient, refresh: Refresh): string | null {
  try {
    const store = openSqliteStore(paths.database, { busyMs: READ_BUSY_MS });
    try {
      refresh(store);
    } finally {
      store.close();
    }
    return null;
  } catch (error) {
    if (['damaged', 'newer', 'unknown'].includes(classifyMemoryError(error))) throw error;
    log.warn('not updated before reading', { cause: describeError(error) });
    return describeMemoryError(error);
  }
}

/** Readers may find damage that intake does not touch; the next intake rebuilds the database. */
function withRebuild<T>(user: MemoryClient, use: () => T): T {
  const file = identifyFile(user.paths.database);
  try {
    return use();
  } catch (error) {
    if (!isStoreError(error, 'damaged')) throw error;
    try {
      markDamaged(user.paths, file);
    } catch {
      // Without write access nothing can be rebuilt.
      throw error;
    }
    ingestAll(user);
    return use();
  }
}

function useStore<T>(user: MemoryClient, open: (path: string) => Store, use: (store: Store) => T): T {
  const store = openInHome(user.paths.home, () => open(user.paths.database));
  try {
    wakeForPendingJobs(user, store);
    return use(store);
  } finally {
    store.close();
  }
}
