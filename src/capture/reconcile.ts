import { claudeCode } from '../agents/claude-code/adapter.ts';
import {
  openingOf,
  type SessionTranscripts,
  transcriptsOfSession,
} from '../agents/claude-code/transcript.ts';
import { errorCode } from '../platform/files.ts';
import { describeError } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { SessionKeys, UnreadSession } from '../store/transcript-store.ts';
import { redactValue } from './redact/redact-value.ts';
import { NOTHING_TOLD, type ToldCounts, type TranscriptWorld, takeInTranscripts } from './transcripts.ts';

/** The client writes its transcript a little late. */
const WRITTEN_AFTER_MS = 1_000;
/** An open session that nobody heard of for so long is taken for dead, until it is heard of again. */
export const SILENT_MS = 30 * 60_000;
/** What is written so long after a session's end is not its end's aftermath: it goes on. */
const AFTERMATH_MS = 60_000;

export interface ReconcileWorld extends TranscriptWorld {
  store: Store;
}

export interface Reconciled extends ToldCounts {
  sessions: number;
}

/**
 * Fills in from the agents' own transcripts what hooks did not tell: calls that were refused, interrupted or
 * cut off, and whatever happened while no hook was installed. `atOnce`: also sessions that are at work.
 */
export function reconcileSessions(
  world: ReconcileWorld,
  { silentForMs = SILENT_MS, atOnce = false }: { silentForMs?: number; atOnce?: boolean } = {},
): Reconciled {
  const unread = sessionsToReconcile(world, { silentForMs, atOnce });
  const total: Reconciled = { ...NOTHING_TOLD, sessions: unread.length };
  for (const session of unread) {
    const counts = reconcileSession(world, session, silentForMs);
    for (const name of Object.keys(NOTHING_TOLD) as (keyof ToldCounts)[]) total[name] += counts[name];
  }
  return total;
}

export function sessionsToReconcile(
  { store, now }: Pick<ReconcileWorld, 'store' | 'now'>,
  { silentForMs = SILENT_MS, atOnce = false }: { silentForMs?: number; atOnce?: boolean } = {},
): UnreadSession[] {
  return store.unreadSessions(claudeCode.id, {
    now: now(),
    endedForMs: WRITTEN_AFTER_MS,
    silentForMs,
    atOnce,
  });
}

/** One session, whatever was read of it before. Doing it twice changes nothing. */
export function reconcileSession(
  world: ReconcileWorld,
  { agentSession, transcript }: UnreadSession,
  silentForMs = SILENT_MS,
): ToldCounts {
  const { store, log, now } = world;
  const transcripts = transcriptsOfSession(transcript, agentSession);
  try {
    const counts = runToEnd(takeInTranscripts(world, readingOf(world, transcripts, silentForMs)));
    if (counts.added + counts.broken > 0)
      log.info('transcript read', { session: agentSession, added: counts.added, broken: counts.broken });
    return counts;
  } catch (error) {
    if (!isTroubleOfFile(error)) throw error;
    log.warn('transcript not read', { session: agentSession, why: describeError(error) });
    return { ...NOTHING_TOLD, broken: 1 };
  } finally {
    // A transcript that is not there, or cannot be read, is not looked for again and again.
    const path = redactValue(transcript);
    const position = store.transcriptPosition(path) ?? { offset: 0, size: 0 };
    store.saveTranscriptPosition(path, redactValue(agentSession), position, now());
  }
}

/** The file system's codes, such as EACCES; the database's own begin with ERR_. */
function isTroubleOfFile(error: unknown): boolean {
  return /^E(?!RR_)[A-Z]+$/.test(errorCode(error) ?? '');
}

/** How a session's transcripts are to be read, by what is known of it. */
export function readingOf(
  { store, now }: Pick<TranscriptWorld, 'store' | 'now'>,
  transcripts: SessionTranscripts,
  silentForMs = SILENT_MS,
) {
  const keys = store?.sessionKeys(claudeCode.id, transcripts.sessionId) ?? null;
  const changedAt = Math.max(0, ...transcripts.files.map((file) => file.changedAt));
  const [main] = transcripts.files;
  const folder = main && openingOf(main.path).folder;
  return { transcripts, keys, folder, isOver: isOver(keys, changedAt, now(), silentForMs) };
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
