import type { Place } from '../../model/project.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { SpoolIntake } from '../types/intake.ts';
import type { RecentSessionsQuery } from '../types/session.ts';
import { createActivityQueries } from './activity.ts';
import { createAliasQueries } from './aliases.ts';
import { createBrowseQueries } from './browse.ts';
import { createChangeQueries } from './changes.ts';
import { checkpointWal } from './checkpoint-wal.ts';
import { createClaimQueries } from './claims.ts';
import { createContextQueries } from './context.ts';
import { createContinuityQueries } from './continuity.ts';
import { createBusyWait, withStoreErrors } from './convert-errors.ts';
import { createCurationQueries } from './curation.ts';
import { createErrorQueries } from './errors.ts';
import { createGivenContextQueries } from './given-contexts.ts';
import { createHistoryQueries } from './history.ts';
import { ingest } from './ingest.ts';
import { createInjectionQueries } from './injections.ts';
import { createMemoryQueries } from './memories.ts';
import { createModelCallQueries } from './model-calls.ts';
import { createNoteQueries } from './notes.ts';
import { type Database, findDamage, type OpenOptions, openDatabase } from './open.ts';
import { openForReading } from './open-for-reading.ts';
import { createPortQueries } from './port.ts';
import {
  findProject,
  listProjects,
  mergeProjects,
  removeProject,
  renameProject,
  splitProject,
} from './projects.ts';
import { createQueueQueries } from './queue.ts';
import { emptyOldEvents } from './retention.ts';
import { createSearchQueries } from './search.ts';
import {
  countEverything,
  findSessions,
  listHookActivity,
  listRecentSessions,
  listSessionEvents,
} from './sessions.ts';
import { collectStats } from './stats.ts';
import { createTurnQueries } from './stored-turns.ts';
import { createTeamQueries } from './team.ts';
import { createTranscriptQueries } from './transcripts.ts';
import { listUnknownFields } from './unknown-fields.ts';
import { createVectorQueries } from './vectors.ts';

export function openSqliteStore(path: string, options?: OpenOptions) {
  return createStore(openDatabase(path, options));
}

/** The worker pauses a few milliseconds between transactions. SQLite's busy handler retries too rarely to hit them. */
const ASK_EVERY_MS = 1;

export function openHookStore(path: string, busyMs: number) {
  return createHookStore(openDatabase(path, { busyMs, isQuick: true }), busyMs);
}

/** For a hook while the database cannot be written. */
export function openReadingHookStore(path: string, busyMs: number) {
  return createHookStore(openForReading(path, busyMs), busyMs);
}

function createHookStore(db: Database, busyMs: number) {
  db.exec('PRAGMA busy_timeout = 0');
  return guard(createHookQueries(db), createBusyWait(busyMs, ASK_EVERY_MS));
}

export function createStore(db: Database) {
  return guard({
    ...createHookQueries(db),
    ...createTurnQueries(db),
    ...createMemoryQueries(db),
    ...createModelCallQueries(db),
    ...createCurationQueries(db),
    ...createHistoryQueries(db),
    ...createNoteQueries(db),
    ...createPortQueries(db),
    ...createTranscriptQueries(db),
    ...createTeamQueries(db),
    ...createVectorQueries(db),
    ...createAliasQueries(db),
    ...createActivityQueries(db),
    ...createBrowseQueries(db),
    ...createChangeQueries(db),
    ...createGivenContextQueries(db),
    listProjects: () => listProjects(db),
    renameProject: (id: number, alias: Redacted | null) => renameProject(db, id, alias),
    /** Memories of `from` belong to `into` until a split. */
    mergeProjects: (from: number, into: number) => mergeProjects(db, from, into),
    splitProject: (id: number) => splitProject(db, id),
    removeProject: (id: number) => removeProject(db, id),
    listRecentSessions: (query: RecentSessionsQuery) => listRecentSessions(db, query),
    /** By our number (`s12`), or a prefix of the agent's id. */
    findSessions: (id: string) => findSessions(db, id),
    listSessionEvents: (sessionId: number) => listSessionEvents(db, sessionId),
    listHookActivity: () => listHookActivity(db),
    listUnknownFields: () => listUnknownFields(db),
    /** Raw events older than this, or more than fit, lose their content; their keys stay. @returns how many. */
    emptyOldEvents: (limits: { before: number; maxBytes: number }): number => emptyOldEvents(db, limits),
    collectStats: () => collectStats(db),
    countEverything: () => countEverything(db),
    /** Structural errors of the database; empty if it is sound. */
    findDamage: () => findDamage(db),
    /** Checkpoints the WAL, which leaves less to read for the next process. */
    checkpointWal: () => checkpointWal(db),
  });
}

function createHookQueries(db: Database) {
  return {
    ...createQueueQueries(db),
    ...createInjectionQueries(db),
    ...createContextQueries(db),
    ...createContinuityQueries(db),
    ...createSearchQueries(db),
    ...createClaimQueries(db),
    ...createErrorQueries(db),
    /** Atomic and durable. Ingesting the same file twice stores it once. */
    ingest: (files: Redacted<SpoolIntake>[], now: number) => ingest(db, files, now),
    findProject: (place: Redacted<Place>) => findProject(db, place),
    close: () => db.close(),
  };
}

/** Converts SQLite's errors in every method. */
function guard<T extends object>(queries: T, run: <R>(query: () => R) => R = (query) => query()): T {
  const methods = Object.entries(queries).map(([name, query]) => [
    name,
    (...args: unknown[]) => withStoreErrors(() => run(() => query(...args))),
  ]);
  return Object.fromEntries(methods);
}
