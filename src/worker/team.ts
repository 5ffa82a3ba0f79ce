import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { retryAt } from '../queue/backoff.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';

/** The time between syncs while the worker is running. */
const INTERVAL_MS = 5 * 60_000;
/** Waits this long to send the changes of one turn together. */
const PUSH_DELAY_MS = 3_000;
/** Data older than this is synced when a session begins or continues. */
const FRESH_MS = 30_000;
/** Pauses are randomly longer by up to this share, because everyone starts at nine. */
const JITTER = 0.25;
/** After this many failures unsent changes no longer keep this worker running; the next one tries again. */
const MOST_FAILURES = 4;
const LONGEST_SYNC_MS = 5 * 60_000;
const BUSY_MS = 10_000;

export interface TeamWork {
  /** Starts a sync if one is due; never waits for it. */
  start(store: Store, round: { didWork: boolean }): void;
  /** When to send changes next; null if there are none. Only that keeps the worker running. */
  nextAt(store: Store): number | null;
  close(): Promise<void>;
}

export interface TeamWorkOptions {
  paths: Paths;
  settings: Settings;
  env: Environment;
  log: Log;
  now: () => number;
  random?: () => number;
}

/** Exchanges memories with the team while the worker runs its jobs. */
export function createTeamWork(options: TeamWorkOptions): TeamWork {
  const { paths, settings, env, log, now, random = Math.random } = options;
  let program: SyncProgram | null = null;
  let running: { done: Promise<void>; stop: AbortController } | null = null;
  let syncedAt = Number.NEGATIVE_INFINITY;
  let stretch = 1;
  let failures = 0;
  let pausedUntil = 0;
  let isStopped = false;

  function start(store: Store, { didWork }: { didWork: boolean }): void {
    const hasTeam = store.getTeam() !== null;
    if (hasTeam) program?.collectOwnChanges({ store, log, now, roots: program.roots });
    if (running || isStopped || now() < pausedUntil || (!hasTeam && env.teamLink === undefined)) return;
    const wait = store.hasTeamWork() ? PUSH_DELAY_MS : (didWork ? FRESH_MS : INTERVAL_MS) * stretch;
    if (now() - syncedAt < wait) return;
    syncedAt = now();
    stretch = 1 + random() * JITTER;
    const stop = new AbortController();
    running = { stop, done: sync(stop.signal).finally(() => (running = null)) };
  }

  /** Opens a separate connection to the database: the worker may close and reopen its own meanwhile. */
  async function sync(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_SYNC_MS)]);
    let store: Store | null = null;
    try {
      program ??= await loadProgram();
      const { openTeam, syncTeam, roots } = program;
      store = openSqliteStore(paths.database, { busyMs: BUSY_MS });
      const feed = await openTeam({ paths, settings, env }, store, now());
      if (!feed) return;
      const sharesAll = env.teamLink !== undefined;
      const onAbort = () => void feed.close();
      signal.addEventListener('abort', onAbort);
      try {
        const result = await syncTeam({ store, paths, settings, log, now, roots, signal, sharesAll }, feed);
        handle(result.problem);
        if (result.pulled + result.pushed > 0) log.info('team synced', { ...result, problem: undefined });
      } finally {
        signal.removeEventListener('abort', onAbort);
        await feed.close();
      }
    } catch (error) {
      if (stop.aborted) return;
      log.warn('team not synced', { cause: describeError(error) });
      pause();
    } finally {
      store?.close();
    }
  }

  /** Only the person can restore access; other problems are retried. */
  function handle(problem: { reason: string; message: string } | null): void {
    if (!problem) {
      failures = 0;
      return;
    }
    log.warn('team not synced', problem);
    isStopped = ['access', 'newer-schema', 'not-a-team', 'tls'].includes(problem.reason);
    pause();
  }

  function pause(): void {
    failures++;
    pausedUntil = retryAt(failures, now(), random);
  }

  function nextAt(store: Store): number | null {
    if (running) return now() + PUSH_DELAY_MS;
    if (isStopped || failures >= MOST_FAILURES || !store.hasTeamWork()) return null;
    return Math.max(pausedUntil, syncedAt + PUSH_DELAY_MS);
  }

  async function close(): Promise<void> {
    running?.stop.abort();
    await running?.done;
  }

  return { start, nextAt, close };
}

type SyncProgram = Awaited<ReturnType<typeof loadProgram>>;

/** Loaded only in a team, because it takes memory. */
async function loadProgram() {
  const [{ collectOwnChanges }, { findRoots }, { openTeam }, { syncTeam }] = await Promise.all([
    import('../team/sync/collect.ts'),
    import('../team/sync/machine-paths.ts'),
    import('../team/sync/open-team.ts'),
    import('../team/sync/sync.ts'),
  ]);
  return { collectOwnChanges, openTeam, syncTeam, roots: findRoots() };
}
