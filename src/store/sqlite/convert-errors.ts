import { errorCode } from '../../platform/files.ts';
import { SQLITE, sqliteCode } from '../../platform/sqlite.ts';
import { StoreError } from '../store-error.ts';
import { sleep } from './take-turns.ts';

/** Converts SQLite's errors to StoreError. */
export function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}

function toStoreError(error: unknown): unknown {
  switch (sqliteCode(error)) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return new StoreError('busy', 'The database is in use by another process.');
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return new StoreError('damaged', 'The database is damaged.');
    case SQLITE.READ_ONLY:
      return new StoreError('read-only', 'The database cannot be written: it is read-only.');
    case SQLITE.FULL:
      return new StoreError('full-disk', 'The disk is full.');
    case SQLITE.IO_ERROR:
      return new StoreError(
        'full-disk',
        'The disk is full, or the database cannot be read (disk I/O error).',
      );
    default:
      return errorCode(error) === 'ENOSPC' ? new StoreError('full-disk', 'The disk is full.') : error;
  }
}

/** Whether SQLite failed to write although it was opened for reading. */
export function isNotWritable(error: unknown): boolean {
  return [SQLITE.READ_ONLY, SQLITE.IO_ERROR, SQLITE.FULL, SQLITE.CANNOT_OPEN].includes(
    sqliteCode(error) ?? 0,
  );
}

/** For the few statements that SQLite's busy handler does not cover. */
export function retryWhileBusy<T>(forMs: number, attempt: () => T): T {
  return createBusyWait(forMs, 10)(attempt);
}

/** Retries attempts that find the database locked, for at most `forMs` in total. */
export function createBusyWait(forMs: number, everyMs: number): <T>(attempt: () => T) => T {
  let leftMs = forMs;
  return (attempt) => {
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (sqliteCode(error) !== SQLITE.BUSY || leftMs <= 0) throw error;
        const began = Date.now();
        sleep(everyMs);
        // Count at least the time slept: a clock that was set back must not keep an agent waiting.
        leftMs -= Math.max(everyMs, Date.now() - began);
      }
    }
  };
}
