import { statSync } from 'node:fs';
import { markDamaged } from '../capture/damaged.ts';
import { drainWithin } from '../capture/drain.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { bringIndexUpToDate } from '../indexing/bring-up-to-date.ts';
import { startDetached } from '../platform/detach.ts';
import { errorCode } from '../platform/files.ts';
import { workerProgram } from '../platform/installation.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import {
  BusyDatabaseError,
  DamagedDatabaseError,
  FullDiskError,
  NewerDatabaseError,
  ReadOnlyDatabaseError,
  type Store,
} from '../store/store.ts';
import { ToolTrouble } from './tools/trouble.ts';

/** How long an agent may be kept waiting for whoever writes. */
const BUSY_MS = 2_000;
/** For what waits in the spool and in the index; what does not fit is left to the worker. */
const CATCH_UP_MS = 300;

export interface MemoryWorld {
  paths: Paths;
  env: Environment;
  settings: Settings;
  log: Log;
  now: () => number;
}

export interface Memory {
  /** One at a time. @throws ToolTrouble when the memory cannot be had. */
  ask<T>(work: (store: Store) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * The store for one call after the other, each after a short intake. The server lives as long as the agent's
 * session: meanwhile the database may be rebuilt or replaced, so the file is looked at before every call. It
 * stays open in between since the driver gives an opened file back only when the collector comes round; an
 * idle connection holds no lock.
 */
export function openMemory(world: MemoryWorld): Memory {
  const { database } = world.paths;
  let opened: { store: Store; isReadOnly: boolean; file: string } | undefined;

  function close(): void {
    const { store } = opened ?? {};
    opened = undefined;
    store?.close();
  }

  async function ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    try {
      if (opened?.isReadOnly || opened?.file !== identityOf(database)) close();
      if (!opened) {
        opened = { ...openStore(database), file: identityOf(database) };
      }
      catchUp(world, opened.store);
      return await work(opened.store);
    } catch (error) {
      if (!(error instanceof ToolTrouble) && !(error instanceof BusyDatabaseError)) close();
      throw explained(world, error);
    }
  }

  return { ask, close };
}

/** Where nothing can be written, memory can still be read; the next call tries again. */
function openStore(database: string): { store: Store; isReadOnly: boolean } {
  try {
    return { store: openSqliteStore(database, { busyMs: BUSY_MS }), isReadOnly: false };
  } catch (error) {
    const isNotWritable =
      error instanceof FullDiskError || /^E(ROFS|ACCES|PERM)$/.test(errorCode(error) ?? '');
    if (!isNotWritable) throw error;
    return { store: openReadingStore(database, BUSY_MS), isReadOnly: true };
  }
}

function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${dev} ${ino}`;
}

/** Whatever goes wrong here costs freshness only. */
function catchUp({ paths, env, settings, log, now }: MemoryWorld, store: Store): void {
  try {
    const until = now() + CATCH_UP_MS;
    const taken = drainWithin({ paths, settings, log, now }, store, { until });
    bringIndexUpToDate(store, { until, now });
    const next = store.nextJobAt(['distil']);
    const leavesWork = (taken !== null && taken.left > 0) || (next !== null && next <= now());
    if (leavesWork && !env.startsNoWorker) startDetached(process.execPath, [workerProgram()]);
  } catch (error) {
    if (error instanceof DamagedDatabaseError) throw error;
    log.warn('memory not brought up to date', { cause: describeError(error) });
  }
}

function explained({ paths, env, log }: MemoryWorld, error: unknown): unknown {
  if (error instanceof ToolTrouble) return error;
  log.warn('memory not available to a tool', { cause: describeError(error) });
  if (error instanceof DamagedDatabaseError) {
    markDamaged(paths);
    if (!env.startsNoWorker) startDetached(process.execPath, [workerProgram()]);
    return new ToolTrouble(
      "Cairn's database is damaged. It is being rebuilt; try again in a minute, or tell the person to run: cairn doctor",
    );
  }
  if (error instanceof BusyDatabaseError)
    return new ToolTrouble("Cairn's database is locked by another program. Try again in a moment.");
  if (
    error instanceof FullDiskError ||
    error instanceof NewerDatabaseError ||
    error instanceof ReadOnlyDatabaseError
  )
    return new ToolTrouble(error.message);
  const cause = error instanceof Error ? error.message : String(error);
  return new ToolTrouble(`Cairn's memory cannot be read (${cause}). Tell the person to run: cairn doctor`);
}
