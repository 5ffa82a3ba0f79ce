import type { HookStore, Store } from '../store.ts';
import { contextOf } from './context.ts';
import { continuityOf } from './continuity.ts';
import { curationOf } from './curation.ts';
import { historyOf } from './history.ts';
import { injectionsOf } from './injections.ts';
import { memoriesOf } from './memories.ts';
import { notesOf } from './notes.ts';
import { type Database, findDamage, type OpenOptions, openDatabase } from './open.ts';
import { portOf } from './port.ts';
import { findProject, listProjects, mergeProjects, renameProject, splitProject } from './projects.ts';
import { queueOf } from './queue.ts';
import { searchOf } from './search.ts';
import { counts, findSessions, hookSightings, recentSessions, sessionEvents } from './sessions.ts';
import { takeIn } from './take-in.ts';
import { transcriptsOf } from './transcripts.ts';
import { withStoreErrors } from './trouble.ts';
import { vectorsOf } from './vectors.ts';

export function openSqliteStore(path: string, options?: OpenOptions): Store {
  return storeOf(openDatabase(path, options));
}

export function storeOf(db: Database): Store {
  return {
    ...hookStoreOf(db),
    ...guarded(memoriesOf(db)),
    ...guarded(curationOf(db)),
    ...guarded(historyOf(db)),
    ...guarded(notesOf(db)),
    ...guarded(portOf(db)),
    ...guarded(transcriptsOf(db)),
    ...guarded(vectorsOf(db)),
    listProjects: () => withStoreErrors(() => listProjects(db)),
    renameProject: (id, alias) => withStoreErrors(() => renameProject(db, id, alias)),
    mergeProjects: (from, into) => withStoreErrors(() => mergeProjects(db, from, into)),
    splitProject: (id) => withStoreErrors(() => splitProject(db, id)),
    recentSessions: (query) => withStoreErrors(() => recentSessions(db, query)),
    findSessions: (id) => withStoreErrors(() => findSessions(db, id)),
    sessionEvents: (id) => withStoreErrors(() => sessionEvents(db, id)),
    hookSightings: () => withStoreErrors(() => hookSightings(db)),
    counts: () => withStoreErrors(() => counts(db)),
    findDamage: () => withStoreErrors(() => findDamage(db)),
    foldJournal: () => withStoreErrors(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
  };
}

/** Quick: see `isQuick`. */
export function openHookStore(path: string, busyMs: number): HookStore {
  return hookStoreOf(openDatabase(path, { busyMs, isQuick: true }));
}

function hookStoreOf(db: Database): HookStore {
  return {
    ...guarded(queueOf(db)),
    ...guarded(injectionsOf(db)),
    ...guarded(contextOf(db)),
    ...guarded(continuityOf(db)),
    ...guarded(searchOf(db)),
    takeIn: (files, now) => withStoreErrors(() => takeIn(db, files, now)),
    findProject: (place) => withStoreErrors(() => findProject(db, place)),
    close: () => db.close(),
  };
}

/** Every call of it, with SQLite's errors turned into ours. */
function guarded<T extends object>(part: T): T {
  const calls = Object.entries(part).map(([name, call]) => [
    name,
    (...args: unknown[]) => withStoreErrors(() => call(...args)),
  ]);
  return Object.fromEntries(calls);
}
