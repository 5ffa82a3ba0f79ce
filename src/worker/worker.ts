import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentHome } from '../agents/agent.ts';
import { endGoneSessions } from '../capture/agent-processes.ts';
import { type AgentWords, readTurnWords } from '../capture/agent-words.ts';
import { type DrainResult, drain } from '../capture/drain.ts';
import { findTranscripts } from '../capture/find-transcripts.ts';
import { reconcileSessions } from '../capture/reconcile.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { listSpool } from '../capture/spool.ts';
import { clearStall, recordStall } from '../capture/stall.ts';
import type { Settings } from '../config/settings.ts';
import { removeOldLists } from '../context/known-files.ts';
import { mirrorWorkItems } from '../continuity/mirror/mirror.ts';
import { emptyOldTrash } from '../curation/trash.ts';
import { distillTurn } from '../distill/distill-turn.ts';
import { updateIndexInParts } from '../indexing/update-index.ts';
import { holdStore } from '../memory/hold-store.ts';
import { classifyMemoryError } from '../memory/memory-error.ts';
import { makePrivateFolder } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { removeOldFiles } from '../platform/old-files.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { runJob } from '../queue/run-job.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../store/types/job.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { Embedding } from './embed.ts';
import type { Listener } from './listener.ts';
import { markMergedBranches } from './merged-branches.ts';
import type { Polisher } from './polish.ts';
import { applyRetention } from './retention.ts';
import { createSleeper } from './sleeper.ts';
import type { TeamWork } from './team.ts';
import { updateFolderNotes } from './update-folder-notes.ts';
import { updateWorkItems } from './update-work-items.ts';
import { clearStopRequest, isStopRequested, lockWorker, writeWorkerNote } from './worker-note.ts';

/** Time limits of the steps of one round: signals and requests are handled in between. */
const DISTILLING_MS = 2_000;
const INDEXING_MS = 1_000;
const DRAINING_MS = 250;
const BUSY_MS = 10_000;
const LEASE_MS = 5 * 60_000;
/** Minimum time between two checks while idle; at least ten seconds. */
const REST_MS = 30_000;
const SHORTEST_REST_MS = 10_000;
/** While a page is watching and the spool cannot be watched. */
const UNWATCHED_REST_MS = 500;
/** A page that misses more changes loads everything again. */
const CHANGES_KEPT = 10_000;
/** Records are kept this long, because processes in another container or on another machine cannot be checked. */
const PROCESS_RECORDS_KEPT_MS = 30 * 86_400_000;
/** Agents write their transcripts some time after their hooks, and the meter reads them. */
const SHORTEST_LAG_MS = 500;
const LONGEST_LAG_MS = 4_000;
/** When the transcript of a session that has just ended can be read. */
const ENDED_LAG_MS = 1_500;
const LONGEST_WAIT_FOR_WORDS_MS = 2_000;
const WORDS_LOOK_MS = 100;

export interface WorkerOptions {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
  polisher: Polisher | null;
  embedding: Embedding | null;
  team: TeamWork;
  /** Where agents keep their sessions. */
  agentHome: AgentHome;
}

export type WorkerEnd = 'another is at work' | 'idle' | 'asked to stop' | 'updated' | 'home is gone';

/** The worker: ingests, distils, cleans up, and exits when there is nothing left to do. */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<WorkerEnd> {
  const { paths, log } = options;
  for (;;) {
    const release = lockWorker(paths);
    if (!release) return 'another is at work';
    let end: WorkerEnd;
    let left: number;
    try {
      clearStopRequest(paths);
      log.info('worker started', { version: VERSION });
      ({ end, left } = await runRounds(options, stop));
      if (end !== 'home is gone') log.info('worker ends', { end });
    } finally {
      release();
    }
    // Other processes found the lock held and left their events to this worker.
    if (end !== 'idle' || listSpool(paths).length <= left) return end;
  }
}

/** `left`: spool files that could not be ingested yet, because they are unfinished. */
async function runRounds(
  options: WorkerOptions,
  stop: AbortSignal,
): Promise<{ end: WorkerEnd; left: number }> {
  const { paths, settings, now } = options;
  // An import or `cairn remember` in a new home creates a database and no spool.
  if (existsSync(paths.database)) makePrivateFolder(paths.spool);
  const waiting = createSleeper([
    { folder: paths.spool, isRelevant: () => true },
    { folder: paths.state, isRelevant: (name) => name === basename(paths.stopWorker) },
  ]);
  stop.addEventListener('abort', waiting.call);
  const home = statSync(paths.home).ino;
  const program = programFile();
  const memory = holdStore(paths.database, {
    busyMs: BUSY_MS,
    // No other worker is running, so these leases are left from a worker that died or from a failed round.
    onOpen: (store) => store.releaseLeases(),
  });
  let listener: Listener | null = null;
  let lastWork = now();
  let isFirst = true;
  let hasWorked = true;
  let nextCheckAt: number | null = null;
  let left = 0;
  try {
    if (settings['api.listen'] === 'on') listener = await listenFor(options, memory, waiting.call);
    writeWorkerNote(paths, { startedAt: now(), port: listener?.port ?? null });
    for (;;) {
      if (isGone(paths, home)) return { end: 'home is gone', left };
      if (stop.aborted || isStopRequested(paths)) return { end: 'asked to stop', left };
      if (programFile() !== program) return { end: 'updated', left };
      const isCheckDue = nextCheckAt !== null && now() >= nextCheckAt;
      if (isCheckDue) nextCheckAt = nextCheckAfter(lastWork, now());
      const round = await runRound(options, memory, stop, { isFirst, isCheckDue });
      isFirst = false;
      left = round.left;
      if (round.didWork) {
        lastWork = now();
        nextCheckAt = lastWork + (round.openTurns > 0 ? SHORTEST_LAG_MS : ENDED_LAG_MS);
        hasWorked = true;
        continue;
      }
      if (hasWorked) collectGarbage();
      hasWorked = false;
      lastWork = Math.max(lastWork, listener?.lastUsedAt() ?? 0);
      const idleMs = settings['worker.idleSeconds'] * 1_000;
      // A clock that was set back must not keep the worker running.
      const idleForMs = now() < lastWork ? idleMs : now() - lastWork;
      const isStreaming = listener?.isStreaming() ?? false;
      const hasNothingToDo =
        round.openTurns === 0 && round.nextJobAt === null && !round.hasFailed && !isStreaming;
      if (hasNothingToDo && idleForMs >= idleMs) return { end: 'idle', left };
      // A failed step would fail again at once, whatever arrives meanwhile.
      if (round.hasFailed) await pause(SHORTEST_REST_MS, undefined, { signal: stop }).catch(() => {});
      else {
        const rest = computeRest({ idleMs, idleForMs, now: now(), ...round });
        const untilCheck = nextCheckAt === null ? rest : Math.max(0, nextCheckAt - now());
        const untilLook = isStreaming && !waiting.canWatch ? UNWATCHED_REST_MS : rest;
        await waiting.wait(Math.min(rest, untilCheck, untilLook));
      }
    }
  } finally {
    listener?.close();
    await options.team.close();
    memory.close();
    waiting.close();
    stop.removeEventListener('abort', waiting.call);
  }
}

/** Node's server takes 3 MB. The request handlers are loaded at the first request. */
async function listenFor(
  { paths, settings, log, now }: WorkerOptions,
  memory: ReturnType<typeof holdStore>,
  wakeWorker: () => void,
): Promise<Listener | null> {
  const { startListener } = await import('./listener.ts');
  return startListener({ paths, settings, log, now, wakeWorker, openStore: memory.store });
}

/** Doubles the pause, a few times. */
function nextCheckAfter(lastWork: number, now: number): number | null {
  const lag = now - lastWork;
  // On a busy machine a check may be late; the last one still takes place.
  return lag >= 0 && lag < LONGEST_LAG_MS
    ? lastWork + Math.min(LONGEST_LAG_MS, Math.max(SHORTEST_LAG_MS, 2 * lag))
    : null;
}

/** Whether the home was removed or replaced. During a removal the spool disappears before the home. */
function isGone(paths: Paths, inode: number): boolean {
  return statSync(paths.home, { throwIfNoEntry: false })?.ino !== inode || !existsSync(paths.spool);
}

/** The identity of the program file, which changes when Cairn is updated. */
function programFile(): string {
  const stats = statSync(import.meta.filename, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : '';
}

interface Round {
  didWork: boolean;
  hasFailed: boolean;
  left: number;
  openTurns: number;
  nextJobAt: number | null;
}

const FAILED: Round = { didWork: false, hasFailed: true, left: 0, openTurns: 1, nextJobAt: null };

async function runRound(
  options: WorkerOptions,
  memory: ReturnType<typeof holdStore>,
  stop: AbortSignal,
  { isFirst, isCheckDue }: { isFirst: boolean; isCheckDue: boolean },
): Promise<Round> {
  const { paths, log, now, polisher, embedding, team } = options;
  const began = now();
  try {
    const drained = await drainInParts(options, memory, stop);
    if (drained.state === 'failed') throw drained.error;
    const store = memory.store();
    let didWork = drained.state === 'done' && drained.stored > 0;
    if (didWork || isFirst) findTranscripts(store, options);
    if (reconcileAndClose(options, store, isFirst)) didWork = true;
    if ((didWork || isFirst || isCheckDue) && (await updateWorkItems(store, options))) didWork = true;
    if (await runJobs(options, store, stop)) didWork = true;
    const isStopped = () => stop.aborted || isStopRequested(paths);
    if ((await updateIndexInParts(store, { until: now() + INDEXING_MS, now, isStopped })) > 0) didWork = true;
    if (polisher && (await polisher.polish(store, stop))) didWork = true;
    if (embedding && (await embedding.embed(store, stop))) didWork = true;
    mirrorWorkItems({ store, paths, log, now });
    team.start(store, { didWork });
    if (didWork) updateFolderNotes(store, options, began);
    else {
      applyRetention(store, options);
      emptyOldTrash({ ...options, store });
      markMergedBranches(store, options);
      removeOldLists(paths, now());
      store.pruneChanges(CHANGES_KEPT);
      for (const folder of [paths.agentProcesses, paths.startsGiven])
        removeOldFiles(folder, now() - PROCESS_RECORDS_KEPT_MS);
      store.checkpointWal();
    }
    clearStall(paths);
    const kinds = ['distil', ...(polisher?.kinds() ?? [])];
    return {
      didWork,
      hasFailed: false,
      left: drained.state === 'done' ? drained.left : 0,
      openTurns: store.countOpenTurns(),
      nextJobAt: findEarliest(
        store.findNextJobTime(kinds),
        embedding?.nextAt(store) ?? null,
        team.nextAt(store),
        store.findNextTrashTime(),
      ),
    };
  } catch (error) {
    memory.close();
    return recover(options, error);
  }
}

/** Ingests a large spool in parts, and answers requests in between. */
async function drainInParts(
  { paths, settings, log, now }: WorkerOptions,
  memory: ReturnType<typeof holdStore>,
  stop: AbortSignal,
): Promise<DrainResult> {
  for (let stored = 0; ; ) {
    const limits = { lockMs: 1_000, forMs: DRAINING_MS };
    const drained = drain({ paths, settings, log, now, ...limits, store: memory.store() });
    if (drained.state !== 'done') return drained;
    stored += drained.stored;
    const isCutShort = drained.left > 0 && drained.stored + drained.doubled + drained.setAside > 0;
    if (!isCutShort || stop.aborted || isStopRequested(paths)) return { ...drained, stored };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function findEarliest(...times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

/** Rebuilds a damaged database by a separate intake; after other errors the worker waits. */
function recover({ paths, settings, log, now }: WorkerOptions, error: unknown): Round {
  const cause = error instanceof Error ? error.message : String(error);
  if (classifyMemoryError(error) === 'damaged') {
    const drained = drain({ paths, settings, log, now, lockMs: 1_000 });
    if (drained.state === 'done') return { ...FAILED, hasFailed: false, didWork: true };
  }
  log.error('worker stopped', { cause });
  try {
    recordStall(paths, cause, settings['hooks.failLoudThreshold'], now());
  } catch {
    // A full disk has no room for a note either; doctor checks the disk.
  }
  return FAILED;
}

/** Adds what hooks did not report from transcripts, then closes turns whose agent is gone or silent. */
function reconcileAndClose(options: WorkerOptions, store: Store, isFirst: boolean): boolean {
  const { paths, settings, log, now } = options;
  const silentForMs = settings['worker.silentMinutes'] * 60_000;
  const ended = endGoneSessions({ paths, log, now, store });
  const { added } = reconcileSessions(
    { paths, settings, log, now, store },
    { silentForMs, isImmediate: isFirst },
  );
  return ended + added + store.closeSilentTurns(now() - silentForMs, now() + silentForMs) > 0;
}

async function runJobs(
  { log, now, polisher, paths }: WorkerOptions,
  store: Store,
  stop: AbortSignal,
): Promise<boolean> {
  const until = now() + DISTILLING_MS;
  let didWork = false;
  for (;;) {
    if (stop.aborted || isStopRequested(paths) || now() > until) return didWork;
    const job = store.claimJob(['distil'], now(), LEASE_MS);
    if (!job) return didWork;
    didWork = true;
    const next = polisher ? 'polish' : undefined;
    await runJob(job, { queue: store, log, now, redact: redactValue }, async () => {
      const words = await awaitWords(paths, store, job, { now, stop });
      distillTurn(store, job, { now, next, readWords: () => words });
      log.debug('turn distilled', { turn: job.turnId });
    });
    // Lets signals and watchers run between two jobs.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Agents write their transcripts some time after calling their hooks, so a fresh turn waits for its closing words. */
async function awaitWords(
  paths: Paths,
  store: Store,
  job: Job,
  { now, stop }: { now: () => number; stop: AbortSignal },
): Promise<AgentWords[]> {
  const turn = store.readTurn(job.turnId);
  if (!turn) return [];
  const lastCall = store.findLastCallId(job.turnId);
  for (;;) {
    const { words, calls } = readTurnWords(paths, turn);
    const hasCalls = lastCall === null || calls.has(lastCall);
    const hasEnd = turn.hasClosingWords || turn.closedBy !== 'turn-end' || words.some(isClosing);
    const isComplete = hasCalls && hasEnd;
    const isFresh = Math.abs(now() - turn.lastAt) < LONGEST_WAIT_FOR_WORDS_MS;
    if (isComplete || !isFresh || turn.transcript === null || stop.aborted) return words;
    await pause(WORDS_LOOK_MS, undefined, { signal: stop }).catch(() => {});
  }
}

function isClosing({ nextCall }: AgentWords): boolean {
  return nextCall === null;
}

function computeRest({
  idleMs,
  idleForMs,
  now,
  nextJobAt,
  openTurns,
}: Round & { idleMs: number; idleForMs: number; now: number }): number {
  const untilIdle = openTurns > 0 ? REST_MS : Math.max(0, idleMs - idleForMs);
  const untilJob = nextJobAt === null ? REST_MS : Math.max(0, nextJobAt - now);
  return Math.max(SHORTEST_REST_MS, Math.min(REST_MS, untilIdle, untilJob));
}
