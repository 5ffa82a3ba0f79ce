import { drain } from '../capture/drain.ts';
import { openLog } from '../capture/open-log.ts';
import { listSpool } from '../capture/spool.ts';
import { counted } from '../context/words.ts';
import { bringIndexUpToDate } from '../indexing/bring-up-to-date.ts';
import { errorCode } from '../platform/files.ts';
import { describeError, type Log } from '../platform/log.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import {
  BusyDatabaseError,
  FullDiskError,
  NewerDatabaseError,
  ReadOnlyDatabaseError,
  type Store,
} from '../store/store.ts';
import type { Call } from './command.ts';
import { isFileSystemCode, tellOfMany, useStore, withRebuild } from './memory.ts';

/** How long a command that only reads waits for a process that writes. */
const BUSY_MS = 200;
/** For another intake, which stores what is to be read; as long as it gets on, a reader waits longer. */
const INTAKE_MS = 500;
const LONGEST_WAIT_MS = 3_000;

/** Brings up to date what is derived from events, with a store that may be written. Costs freshness only if it fails. */
export type Refresh = (store: Store, log: Log) => void;

/**
 * For a command that only reads. What waits in the spool is ingested first if that can be done soon; a database that is
 * busy or read-only, or a full disk, is no error.
 */
export function readMemory<T>(call: Call, read: (store: Store) => T, refresh?: Refresh): T {
  const log = openLog({ folder: call.paths.logs, level: call.settings['log.level'], from: 'command' });
  tellOfMany(call);
  const obstacles = [ingest(call, log), tryRefresh(call, log, refresh)];
  const obstacle = obstacles.find((each) => each !== null);
  if (obstacle) tellOfWaiting(call, obstacle);
  return withRebuild(call, () => useStore(call, openReadingStore, read));
}

/** The same with the search index up to date. */
export function readIndexedMemory<T>(call: Call, read: (store: Store) => T): T {
  return readMemory(call, read, (store) => {
    bringIndexUpToDate(store);
  });
}

/** @returns why not everything is stored, if so. */
function ingest({ paths, settings, now }: Call, log: Log): string | null {
  const until = now() + LONGEST_WAIT_MS;
  for (;;) {
    const before = listSpool(paths).length;
    const drained = drain({ paths, settings, log, lockMs: INTAKE_MS, busyMs: BUSY_MS, isBrief: true });
    if (drained.state === 'done') return null;
    if (drained.state === 'failed') return obstacleIn(drained.error);
    const left = listSpool(paths).length;
    if (left === 0) return null;
    if (left >= before || now() >= until) return 'another process is ingesting events.';
  }
}

function tryRefresh(call: Call, log: Log, refresh: Refresh | undefined): string | null {
  if (!refresh) return null;
  try {
    const store = openSqliteStore(call.paths.database, { busyMs: BUSY_MS });
    try {
      refresh(store, log);
    } finally {
      store.close();
    }
    return null;
  } catch (error) {
    if (!isObstacle(error)) throw error;
    log.warn('not brought up to date before reading', { cause: describeError(error) });
    return obstacleIn(error);
  }
}

function isObstacle(error: unknown): boolean {
  return (
    error instanceof BusyDatabaseError ||
    error instanceof FullDiskError ||
    error instanceof ReadOnlyDatabaseError ||
    isFileSystemCode(errorCode(error))
  );
}

function obstacleIn(error: unknown): string {
  if (error instanceof NewerDatabaseError) throw error;
  if (error instanceof BusyDatabaseError) return 'the database is busy.';
  if (error instanceof FullDiskError) return 'the disk is full.';
  const code = errorCode(error);
  if (error instanceof ReadOnlyDatabaseError || code === 'EROFS') return 'the database is read-only.';
  return error instanceof Error ? error.message : String(error);
}

function tellOfWaiting({ paths, err }: Call, obstacle: string): void {
  const waiting = listSpool(paths).length;
  if (waiting > 0) err(`${counted(waiting, 'event is', 'events are')} not stored yet: ${obstacle}`);
}
