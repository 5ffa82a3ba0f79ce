import { drain } from '../capture/drain.ts';
import { createLog } from '../platform/log.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { NewerDatabaseError, type Store } from '../store/store.ts';
import type { Call } from './command.ts';

/** The store as it is after everything in the spool was taken in, so that nobody reads stale state. */
export function withMemory<T>(call: Call, read: (store: Store) => T): T {
  const { paths, settings } = call;
  const log = createLog({
    folder: paths.logs,
    level: settings['log.level'],
    from: 'command',
    onTrouble: call.err,
  });
  const drained = drain({ paths, settings, log, lockMs: 3_000, busyMs: 3_000 });
  if (drained.state === 'failed') {
    if (drained.error instanceof NewerDatabaseError) throw drained.error;
    const cause = drained.error instanceof Error ? drained.error.message : String(drained.error);
    call.err(`Not everything could be stored yet: ${cause} It is kept in the spool. See: cairn doctor`);
  }
  const store = openSqliteStore(paths.database);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
