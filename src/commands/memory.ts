import { markDamaged } from '../capture/damaged.ts';
import { drain } from '../capture/drain.ts';
import { openLog } from '../capture/open-log.ts';
import { listSpool } from '../capture/spool.ts';
import { startDetached } from '../platform/detach.ts';
import { errorCode } from '../platform/files.ts';
import { workerProgram } from '../platform/installation.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { DamagedDatabaseError, NewerDatabaseError, type Store } from '../store/store.ts';
import { type Call, CommandError } from './command.ts';

/** More than this takes over a second. */
const WORTH_A_WORD = 1_000;

/**
 * For a command that changes something: the store after everything in the spool was ingested. One that only reads takes
 * `readMemory`, which does not need the write lock.
 */
export function withMemory<T>(call: Call, change: (store: Store) => T): T {
  takeInEverything(call);
  return withRebuild(call, () => useStore(call, openSqliteStore, change));
}

/** Damage that intake does not meet is found by readers; the next intake rebuilds the database. */
export function withRebuild<T>(call: Call, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
    noteDamage(call, error);
    takeInEverything(call);
    return use();
  }
}

/** @throws the damage itself where nothing can be written, and so nothing rebuilt. */
function noteDamage({ paths }: Call, damage: DamagedDatabaseError): void {
  try {
    markDamaged(paths);
  } catch {
    throw damage;
  }
}

function takeInEverything(call: Call): void {
  const { paths, settings } = call;
  const log = openLog({
    folder: paths.logs,
    level: settings['log.level'],
    from: 'command',
    onTrouble: call.err,
  });
  tellOfMany(call);
  const drained = drain({ paths, settings, log, lockMs: 3_000, busyMs: 3_000 });
  if (drained.state !== 'failed') return;
  if (drained.error instanceof NewerDatabaseError) throw drained.error;
  const cause = drained.error instanceof Error ? drained.error.message : String(drained.error);
  call.err(`Not everything could be stored yet: ${cause} It is kept in the spool. See: cairn doctor`);
}

export function tellOfMany(call: Call): void {
  const waiting = withPlainErrors(call, () => listSpool(call.paths)).length;
  if (waiting > WORTH_A_WORD) call.err(`Taking in ${waiting} events …`);
}

export function useStore<T>(call: Call, open: (path: string) => Store, use: (store: Store) => T): T {
  const store = withPlainErrors(call, () => open(call.paths.database));
  try {
    if (store.nextJobAt(['distil']) !== null) wakeWorker(call);
    return use(store);
  } finally {
    store.close();
  }
}

/** What a worker that was killed has left, or what was just imported, need not wait for the next turn. */
function wakeWorker({ env }: Call): void {
  if (!env.startsNoWorker) startDetached(process.execPath, [workerProgram()]);
}

function withPlainErrors<T>({ home }: Call, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = errorCode(error);
    if (!isFileSystemCode(code)) throw error;
    throw new CommandError(
      `Cairn cannot use its folder ${home} (${code}). Make it a folder of your own, or set CAIRN_HOME to another one.`,
    );
  }
}

/** The file system's codes, such as EACCES; SQLite's own begin with ERR_. */
export function isFileSystemCode(code: string | undefined): boolean {
  return code !== undefined && /^E(?!RR_)[A-Z]+$/.test(code);
}
