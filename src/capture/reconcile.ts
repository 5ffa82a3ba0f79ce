import type { SessionTranscripts, TranscriptAgent } from '../agents/agent.ts';
import { transcriptAgents } from '../agents/all.ts';
import { SESSION_SILENT_MS } from '../model/session.ts';
import { errorCode } from '../platform/files.ts';
import { describeError } from '../platform/log.ts';
import { UnreadableDatabase } from '../platform/other-database.ts';
import type { Store } from '../store/store.ts';
import type { SessionKeys, UnreadSession } from '../store/types/transcript.ts';
import { redactValue } from './redact/redact-value.ts';
import {
  type IngestCounts,
  type IngestOptions,
  ingestTranscripts,
  NO_COUNTS,
  type SessionReading,
} from './transcripts.ts';

/** The client writes its transcript with a delay. */
const WRITTEN_AFTER_MS = 1_000;
/** A transcript that is written this long after the end belongs to a session that continues. */
const AFTERMATH_MS = 60_000;

export interface ReconcileOptions extends IngestOptions {
  store: Store;
}

export interface ReconcileResult extends IngestCounts {
  sessions: number;
}

export interface SessionToReconcile extends UnreadSession {
  agent: TranscriptAgent;
}

/**
 * Adds events from transcripts that hooks did not report: refused, interrupted or cut off calls, and all events from
 * before hooks were installed. `isImmediate`: includes active sessions.
 */
export function reconcileSessions(
  options: ReconcileOptions,
  {
    silentForMs = SESSION_SILENT_MS,
    isImmediate = false,
  }: { silentForMs?: number; isImmediate?: boolean } = {},
): ReconcileResult {
  const unread = listSessionsToReconcile(options, { silentForMs, isImmediate });
  const total: ReconcileResult = { ...NO_COUNTS, sessions: unread.length };
  for (const session of unread) {
    const counts = reconcileSession(options, session, silentForMs);
    for (const name of Object.keys(NO_COUNTS) as (keyof IngestCounts)[]) total[name] += counts[name];
  }
  return total;
}

export function listSessionsToReconcile(
  { store, now }: Pick<ReconcileOptions, 'store' | 'now'>,
  {
    silentForMs = SESSION_SILENT_MS,
    isImmediate = false,
  }: { silentForMs?: number; isImmediate?: boolean } = {},
): SessionToReconcile[] {
  const query = { now: now(), endedForMs: WRITTEN_AFTER_MS, silentForMs, isImmediate };
  return transcriptAgents().flatMap((agent) =>
    store.listUnreadSessions(agent.id, query).map((session) => ({ ...session, agent })),
  );
}

/** Reconciles one session, independent of what was read before. Idempotent. */
export function reconcileSession(
  options: ReconcileOptions,
  { agent, agentSession, transcript }: SessionToReconcile,
  silentForMs = SESSION_SILENT_MS,
): IngestCounts {
  const { store, log, now } = options;
  try {
    const transcripts = agent.transcripts.findSession(transcript, agentSession);
    const counts = runToEnd(
      ingestTranscripts(options, planReading(options, agent, transcripts, silentForMs)),
    );
    if (counts.added + counts.broken > 0)
      log.info('transcript read', { session: agentSession, added: counts.added, broken: counts.broken });
    return counts;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    log.warn('transcript not read', { session: agentSession, why: describeError(error) });
    return { ...NO_COUNTS, broken: 1 };
  } finally {
    // The position is saved to avoid retrying a missing or unreadable transcript each time.
    const path = redactValue(transcript);
    const position = store.getTranscriptPosition(path) ?? { offset: 0, size: 0 };
    store.saveTranscriptPosition(path, redactValue(agentSession), position, now());
  }
}

/** Whether the transcript is unreadable. File errors have codes such as EACCES; Cairn's database has ERR_ codes. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadableDatabase || /^E(?!RR_)[A-Z]+$/.test(errorCode(error) ?? '');
}

/** Which transcripts to read for a session, and how. */
export function planReading(
  { store, now }: Pick<IngestOptions, 'store' | 'now'>,
  agent: TranscriptAgent,
  transcripts: SessionTranscripts,
  silentForMs = SESSION_SILENT_MS,
): SessionReading {
  const keys = store?.readSessionKeys(agent.id, transcripts.sessionId) ?? null;
  const changedAt = Math.max(0, ...transcripts.files.map((file) => file.changedAt));
  const [main] = transcripts.files;
  const folder = main && agent.transcripts.readOpening(main.path).folder;
  return { agent, transcripts, keys, folder, isOver: isOver(keys, changedAt, now(), silentForMs) };
}

function isOver(keys: SessionKeys | null, changedAt: number, now: number, silentForMs: number): boolean {
  if (keys?.endedAt != null && changedAt <= keys.endedAt + AFTERMATH_MS) return true;
  return Math.max(keys?.lastSeen ?? 0, changedAt) < now - silentForMs;
}

function runToEnd<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
