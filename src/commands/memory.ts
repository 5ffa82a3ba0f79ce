import { markDamaged } from '../capture/damaged.ts';
import { drain } from '../capture/drain.ts';
import { listSpool } from '../capture/spool.ts';
import { startDetached } from '../platform/detach.ts';
import { errorCode } from '../platform/files.ts';
import { workerProgram } from '../platform/installation.ts';
import { createLog } from '../platform/log.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { DamagedDatabaseError, NewerDatabaseError, type Store } from '../store/store.ts';
import { type Call, CommandError } from './command.ts';

/** More than this takes over a second. */
const WORTH_A_WORD = 1_000;

/** The store as it is after everything in the spool was taken in, so that nobody reads stale state. */
export function withMemory<T>(call: Call, read: (store: Store) => T): T {
  takeInEverything(call);
  try {
    return readFrom(call, read);
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
    markDamaged(call.paths);
    takeInEverything(call);
    return readFrom(call, read);
  }
}

function takeInEverything(call: Call): void {
  const { paths, settings } = call;
  const log = createLog({
    folder: paths.logs,
    level: settings['log.level'],
    from: 'command',
    onTrouble: call.err,
  });
  const waiting = listSpool(paths).length;
  if (waiting > WORTH_A_WORD) call.err(`Taking in ${waiting} events …`);
  const drained = drain({ paths, settings, log, lockMs: 3_000, busyMs: 3_000 });
  if (drained.state !== 'failed') return;
  if (drained.error instanceof NewerDatabaseError) throw drained.error;
  const cause = drained.error instanceof Error ? drained.error.message : String(drained.error);
  call.err(`Not everything could be stored yet: ${cause} It is kept in the spool. See: cairn doctor`);
}

function readFrom<T>(call: Call, read: (store: Store) => T): T {
  const store = openStore(call);
  try {
    if (store.nextJobAt(['distil']) !== null) wakeWorker(call);
    return read(store);
  } finally {
    store.close();
  }
}

/** What a worker that was killed has left, or what was just imported, need not wait for the next turn. */
function wakeWorker({ env }: Call): void {
  if (!env.startsNoWorker) startDetached(process.execPath, [workerProgram()]);
}

function openStore({ paths, home }: Call): Store {
  try {
    return openSqliteStore(paths.database);
  } catch (error) {
    const code = errorCode(error);
    // The file system's codes, such as EACCES; SQLite's own begin with ERR_.
    if (!code || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandError(
      `Cairn cannot use its folder ${home} (${code}). Make it a folder of your own, or set CAIRN_HOME to another one.`,
    );
  }
}
