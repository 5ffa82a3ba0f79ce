import { existsSync } from 'node:fs';
import { endGoneSessions } from '../capture/agent-processes.ts';
import { drainUntil } from '../capture/drain.ts';
import type { FoundPlace } from '../capture/intake.ts';
import { listSpool, peekSpool } from '../capture/spool.ts';
import { toStoredPlace } from '../capture/stored-place.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import { describeError } from '../platform/log.ts';
import { openHookStore, openReadingHookStore } from '../store/sqlite/sqlite-store.ts';
import type { HookStore } from '../store/store.ts';
import { classifyMemoryError, isReadable } from './memory-error.ts';
import { type MemoryOptions, wakeForPendingJobs } from './memory-options.ts';

/** The worker has usually ingested everything. If not, the rest is the end of the previous session, worth this time. */
const INGEST_MS = 100;
/** With more files even reading their times takes too long, and the worker ingests them. */
const FILES_WORTH_A_LOOK = 200;
/** Redacting a larger file takes too long while an agent waits. */
const LARGEST_FILE = 256 * 1024;

export interface HookMemoryOptions {
  event: AgentEvent;
  /** The spool file of this event: no answer depends on it. */
  ownFile?: string | undefined;
  /** The only folder known to respond; others may be on a dead mount. */
  folder: string | undefined;
  busyMs: number;
}

export interface HookMemory {
  /** Opened at the first call; null if that failed. */
  store(): HookStore | null;
  /** Spool files that another process is ingesting now. */
  unread(): string[];
  close(): void;
}

/** The hook's part of the store, after a short intake if the session starts or is compacted. */
export function openForHook(memory: MemoryOptions, options: HookMemoryOptions): HookMemory {
  const { event, busyMs } = options;
  let opened: HookStore | null | undefined;
  let unread: string[] = [];

  function store(): HookStore | null {
    if (opened !== undefined) return opened;
    try {
      const { store, canWrite } = openEvenReadOnly(memory, busyMs);
      opened = store;
      // Other events have less time, and the worker is usually running.
      if (canWrite && (event.kind === 'session-start' || event.kind === 'compact-start'))
        unread = ingestWhatFits(memory, opened, options);
    } catch (error) {
      memory.log.warn('memory not available to a hook', { cause: describeError(error) });
      opened ??= null;
    }
    return opened;
  }

  return { store, unread: () => unread, close: () => opened?.close() };
}

/** On a full or read-only disk an agent still gets what is stored. */
function openEvenReadOnly({ paths, log }: MemoryOptions, busyMs: number) {
  try {
    return { store: openHookStore(paths.database, busyMs), canWrite: true };
  } catch (error) {
    if (!isReadable(error) || classifyMemoryError(error) === 'busy' || !existsSync(paths.database))
      throw error;
    log.warn('memory not writable for a hook', { cause: describeError(error) });
    return { store: openReadingHookStore(paths.database, busyMs), canWrite: false };
  }
}

/** Ingests files of this session first, then others, until the time limit. @returns files that another intake is ingesting. */
function ingestWhatFits(memory: MemoryOptions, store: HookStore, options: HookMemoryOptions): string[] {
  const { paths, now } = memory;
  const { event, ownFile, folder } = options;
  const isOther = (name: string) => name !== ownFile;
  const some = peekSpool(paths, FILES_WORTH_A_LOOK + 1).filter(isOther);
  const isAll = some.length < FILES_WORTH_A_LOOK;
  const names = isAll || hasJustBegun(event) ? some : listSpool(paths).filter(isOther);
  const only = (name: string) => isAll || name.startsWith(`${event.sessionId}.`);
  const locate = (path: string): FoundPlace => (path === folder ? toStoredPlace(path) : 'later');
  const limits = { names, only, until: now() + INGEST_MS, batchFiles: 50, largestFile: LARGEST_FILE };
  const ingested = names.length > 0 ? drainUntil({ ...memory, locate }, store, limits) : { left: 0 };
  endGoneSessions({ ...memory, store });
  // Polish jobs wait for a model. Another intake wakes the worker itself.
  wakeForPendingJobs(memory, store, { left: ingested?.left ?? 0, kinds: ['distil', 'polish'] });
  return ingested === null ? names : [];
}

/** The spool cannot contain events of a new session. */
function hasJustBegun(event: AgentEvent): boolean {
  return event.kind === 'session-start' && event.source === 'startup';
}
