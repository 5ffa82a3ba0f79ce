import { existsSync } from 'node:fs';
import { drain } from '../capture/drain.ts';
import { listSpool } from '../capture/spool.ts';
import { clearStall, noteStall } from '../capture/stall.ts';
import type { Settings } from '../config/settings.ts';
import { distilTurn } from '../distill/distil-turn.ts';
import { installedVersion } from '../platform/installation.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { runJob } from '../queue/run-job.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { forgetAsking, isAskedToStop, writeNote } from './note.ts';
import type { Polisher } from './polish.ts';
import { keepWithinBounds } from './retention.ts';
import { createWaiting } from './wait.ts';

const LEASE_MS = 5 * 60_000;
/** At rest the worker looks up no more often than this. */
const REST_MS = 30_000;

export interface WorkerWorld {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
  /** Makes offline results better with a model, if one is configured. */
  polisher: Polisher | null;
}

export type WorkerEnd = 'another is at work' | 'idle' | 'asked to stop' | 'updated' | 'home is gone';

/** The background process: takes in, distils, tidies up, and goes when there is nothing left to do. */
export async function runWorker(world: WorkerWorld, stop: AbortSignal): Promise<WorkerEnd> {
  const { paths, log } = world;
  for (;;) {
    const release = tryLock(paths.workerLock);
    if (!release) return 'another is at work';
    let end: WorkerEnd;
    try {
      forgetAsking(paths);
      writeNote(paths, world.now());
      log.info('worker started', { version: VERSION });
      end = await work(world, stop);
      log.info('worker ends', { end });
    } finally {
      release();
    }
    // Whoever came while we held the lock left its events to us.
    if (end !== 'idle' || listSpool(paths).length === 0) return end;
  }
}

async function work(world: WorkerWorld, stop: AbortSignal): Promise<WorkerEnd> {
  const { paths, settings, now, log } = world;
  const waiting = createWaiting([paths.spool, paths.state]);
  stop.addEventListener('abort', waiting.call);
  let lastWork = now();
  let isFirst = true;
  try {
    for (;;) {
      if (!existsSync(paths.home)) return 'home is gone';
      if (stop.aborted || isAskedToStop(paths)) return 'asked to stop';
      const { isVersionChanged } = lookAround();
      if (isVersionChanged) return 'updated';
      const round = await oneRound(world, stop, isFirst);
      isFirst = false;
      if (round.didWork) lastWork = now();
      if (round.didWork) continue;
      const idleMs = settings['worker.idleSeconds'] * 1_000;
      // A clock that was set back must not keep us here.
      const idleFor = Math.max(0, now() - lastWork);
      if (idleFor >= idleMs && round.openTurns === 0 && round.nextJobAt === null) return 'idle';
      await waiting.wait(restFor({ idleMs, idleFor, now: now(), ...round }));
    }
  } finally {
    waiting.close();
    stop.removeEventListener('abort', waiting.call);
    log.debug('worker rests no more');
  }
}

function lookAround(): { isVersionChanged: boolean } {
  const installed = installedVersion();
  return { isVersionChanged: installed !== undefined && VERSION !== '0.0.0-source' && installed !== VERSION };
}

interface Round {
  didWork: boolean;
  openTurns: number;
  nextJobAt: number | null;
}

async function oneRound(world: WorkerWorld, stop: AbortSignal, isFirst: boolean): Promise<Round> {
  const { paths, settings, log, now, polisher } = world;
  const drained = drain({ paths, settings, log, now, lockMs: 1_000 });
  let didWork = drained.state === 'done' && drained.stored > 0;
  if (drained.state === 'failed') return { didWork: false, openTurns: 1, nextJobAt: null };
  try {
    const store = openSqliteStore(paths.database, { busyMs: 10_000 });
    try {
      if (isFirst) store.releaseLeases();
      store.closeSilentTurns(now() - settings['worker.silentMinutes'] * 60_000);
      if (await distilWaiting(world, store, stop)) didWork = true;
      if (polisher && (await polisher.polish(store, stop))) didWork = true;
      if (!didWork) keepWithinBounds(store, world);
      clearStall(paths);
      const kinds = ['distil', ...(polisher?.kinds() ?? [])];
      return { didWork, openTurns: store.openTurns(), nextJobAt: store.nextJobAt(kinds) };
    } finally {
      store.close();
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    log.error('worker could not go on', { cause });
    noteStall(paths, cause, settings['hooks.failLoudThreshold'], now());
    return { didWork: false, openTurns: 1, nextJobAt: null };
  }
}

async function distilWaiting(
  { log, now, polisher, paths }: WorkerWorld,
  store: Store,
  stop: AbortSignal,
): Promise<boolean> {
  let didWork = false;
  for (;;) {
    if (stop.aborted || isAskedToStop(paths)) return didWork;
    const job = store.claimJob(['distil'], now(), LEASE_MS);
    if (!job) return didWork;
    didWork = true;
    const next = polisher ? 'polish' : undefined;
    await runJob(job, { queue: store, log, now }, () => {
      distilTurn(store, job, { now, next });
      log.debug('turn distilled', { turn: job.turnId });
    });
    // Lets signals and watchers speak between two jobs.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Never shorter than ten seconds: whatever comes sooner wakes us by itself. */
function restFor({
  idleMs,
  idleFor,
  now,
  nextJobAt,
  openTurns,
}: Round & { idleMs: number; idleFor: number; now: number }) {
  const untilIdle = openTurns > 0 ? REST_MS : Math.max(0, idleMs - idleFor);
  const untilJob = nextJobAt === null ? REST_MS : Math.max(0, nextJobAt - now);
  return Math.max(10_000, Math.min(REST_MS, untilIdle, untilJob));
}
