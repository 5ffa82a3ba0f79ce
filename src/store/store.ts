import type { CapturedEvent } from '../model/agent-event.ts';
import type { Place, Project, ProjectName } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { ContextStore } from './context-store.ts';
import type { ContinuityStore } from './continuity-store.ts';
import type { CurationStore } from './curation-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { InjectionStore } from './injection-store.ts';
import type { MemoryStore } from './memory-store.ts';
import type { NotesStore } from './notes-store.ts';
import type { PortStore } from './port-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { SearchStore } from './search-store.ts';
import type { StoredEvent, StoredPrompt } from './stored.ts';
import type { TranscriptStore } from './transcript-store.ts';
import type { VectorStore } from './vector-store.ts';

/** What is asked while an agent waits. A hook loads this much and no more. */
export interface HookStore extends QueueStore, InjectionStore, ContextStore, ContinuityStore, SearchStore {
  /** All of it or nothing, on the disk when it returns. Taking in the same file twice stores it once. */
  takeIn(files: Redacted<SpoolIntake>[], now: number): TakenIn;
  findProject(place: Redacted<Place>): ProjectName | null;
  close(): void;
}

/** What the rest of Cairn may ask of its memory. SQLite implements it on a person's machine. */
export interface Store
  extends HookStore,
    MemoryStore,
    CurationStore,
    HistoryStore,
    NotesStore,
    PortStore,
    TranscriptStore,
    VectorStore {
  listProjects(): Project[];
  renameProject(id: number, alias: Redacted | null): void;
  /** Memories of `from` count as `into`'s until it is split off again. */
  mergeProjects(from: number, into: number): void;
  splitProject(id: number): void;
  recentSessions(query: RecentSessionsQuery): SessionDigest[];
  /** By our number (`s12`), or by the beginning of the agent's id. */
  findSessions(id: string): SessionDigest[];
  sessionEvents(sessionId: number): { prompts: StoredPrompt[]; events: StoredEvent[] };
  hookSightings(): HookSighting[];
  counts(): StoreCounts;
  /** What is wrong with the database's own structure; nothing when it is sound. */
  findDamage(): string[];
  /** What was written last goes into the database itself: whoever opens it next has less to read. */
  foldJournal(): void;
}

/** One spool file, read: what it told, maybe nothing. */
export interface SpoolIntake {
  name: string;
  agent: string;
  hook: string;
  via: string;
  at: number;
  place?: Place;
  events: CapturedEvent[];
}

export interface TakenIn {
  files: number;
  stored: number;
  /** Files or events that were there already. */
  doubled: number;
}

export interface RecentSessionsQuery {
  projectId?: number;
  /** The agent's id of a session to leave out. */
  except?: string;
  /** Only sessions in which a person asked for something that is not private. */
  withPrompt?: boolean;
  limit: number;
}

export interface SessionDigest {
  id: number;
  agent: string;
  agentSession: string;
  project: string;
  projectId: number | null;
  worktree: string | null;
  branch: string | null;
  model: string | null;
  startSource: string | null;
  endReason: string | null;
  firstSeen: number;
  lastSeen: number;
  endedAt: number | null;
  prompts: number;
  events: number;
  firstPrompt: string | null;
  lastPrompt: string | null;
  closingWords: string | null;
  changedFiles: string[];
}

export interface HookSighting {
  agent: string;
  hook: string;
  via: string;
  lastAt: number;
  count: number;
}

export interface StoreCounts {
  projects: number;
  sessions: number;
  openSessions: number;
  prompts: number;
  events: number;
  turns: number;
  openTurns: number;
  waitingJobs: number;
  /** Given up; the reason is with them. */
  deadJobs: number;
  memories: number;
  schemaVersion: number;
}

/** The database was written by a newer Cairn. Nothing of it was touched. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** The database cannot be read as one. */
export class DamagedDatabaseError extends Error {
  override name = 'DamagedDatabaseError';
}

/** Somebody else is writing; the same call may go through later. */
export class BusyDatabaseError extends Error {
  override name = 'BusyDatabaseError';
}

/** The file, its folder or its disk may not be written, or it was opened for reading. */
export class ReadOnlyDatabaseError extends Error {
  override name = 'ReadOnlyDatabaseError';
}

export class FullDiskError extends Error {
  override name = 'FullDiskError';
}
