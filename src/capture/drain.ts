import type { Settings } from '../config/settings.ts';
import { describeError, type Log, removeOldLogs } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { rebuildDamaged } from '../store/sqlite/rebuild-damaged.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { HookStore } from '../store/store.ts';
import { isStoreError, StoreError } from '../store/store-error.ts';
import { clearDamageMark, isMarkedDamaged } from './damage-mark.ts';
import { recordDamagedCopy } from './damaged-copies.ts';
import { type FoundPlace, type IntakeLimits, type IntakeResult, ingestSpool } from './intake.ts';
import { putInOutbox } from './outbox.ts';
import { listSpool, removeOldTornFiles } from './spool.ts';
import { clearStall, recordStall } from './stall.ts';

type IntakeStore = Pick<HookStore, 'ingest' | 'close'>;

export interface DrainOptions {
  paths: Paths;
  settings: Settings;
  log: Log;
  now?: () => number;
  /** How long to ingest; the rest is left in the spool. */
  forMs?: number;
  /** How long to wait for a running intake. */
  lockMs?: number;
  /** How long to wait for a process that holds the database. */
  busyMs?: number;
  /** For a reader that waits only briefly: a busy database then does not count as a stalled intake. */
  isBrief?: boolean;
  /** An open store; if it is damaged, its owner has to close it first. */
  store?: IntakeStore | undefined;
  /** Replaces the default project lookup where that would take too long. */
  locate?: (folder: string) => FoundPlace;
}

export type DrainResult =
  | ({ state: 'done' } & IntakeResult)
  /** Another process holds the intake lock. */
  | { state: 'busy' }
  /** Everything is still in the spool. */
  | { state: 'failed'; error: unknown };

/** Empties the spool. Of several concurrent calls, one does the work and the others return. */
export function drain(options: DrainOptions): DrainResult {
  for (;;) {
    const drained = drainOnce(options);
    if (drained.state !== 'done') return drained;
    // Processes that found the lock held leave their files to this one.
    if (listSpool(options.paths).length <= drained.left) return drained;
  }
}

/** For a hook: ingests what it can within the limits, with an open store. */
export function drainUntil(
  options: DrainOptions,
  store: IntakeStore,
  limits: IntakeLimits,
): IntakeResult | null {
  const release = tryLock(options.paths.intakeLock);
  if (!release) return null;
  try {
    return ingestSpool({ ...options, store }, limits);
  } finally {
    release();
  }
}

function drainOnce(options: DrainOptions): DrainResult {
  const { paths, settings, log, now = Date.now, lockMs = 0 } = options;
  try {
    const release = tryLock(paths.intakeLock, lockMs);
    if (!release) return { state: 'busy' };
    try {
      const result = ingestOrRebuild(options);
      removeOldTornFiles(paths, now());
      removeOldLogs(paths.logs, settings['log.keepDays'], now());
      clearStall(paths);
      if (result.stored + result.setAside > 0) log.info('spool ingested', { ...result });
      return { state: 'done', ...result };
    } finally {
      release();
    }
  } catch (error) {
    if (options.isBrief && isStoreError(error, 'busy')) return { state: 'failed', error };
    const cause = error instanceof Error ? error.message : describeError(error);
    log.error('spool not ingested', { cause });
    try {
      recordStall(paths, cause, settings['hooks.failLoudThreshold'], now());
    } catch (notNoted) {
      log.warn('stall not noted', { cause: describeError(notNoted) });
    }
    return { state: 'failed', error };
  }
}

function ingestOrRebuild(options: DrainOptions): IntakeResult {
  try {
    return ingestAll(options);
  } catch (error) {
    if (!isStoreError(error, 'damaged') || options.store) throw error;
    const { paths, log, now = Date.now } = options;
    const rebuilt = rebuildDamaged(paths.database, now());
    clearDamageMark(paths);
    recordDamagedCopy(paths, rebuilt);
    log.error('database was damaged and has been rebuilt', {
      damaged: rebuilt.damaged,
      rows: rebuilt.rows,
      incomplete: rebuilt.incomplete.join(' '),
    });
    putInOutbox(
      paths,
      `Cairn's database was damaged. ${rebuilt.rows} rows were saved into a new one; ` +
        `the damaged file is kept as ${rebuilt.damaged}. Run: cairn doctor`,
    );
    return ingestAll(options);
  }
}

function ingestAll(options: DrainOptions): IntakeResult {
  const store =
    options.store ?? openSqliteStore(options.paths.database, { busyMs: options.busyMs ?? 10_000 });
  try {
    if (isMarkedDamaged(options.paths)) throw new StoreError('damaged', 'The database is damaged.');
    return ingestSpool({ ...options, store }, options.forMs === undefined ? {} : { forMs: options.forMs });
  } finally {
    if (!options.store) store.close();
  }
}
