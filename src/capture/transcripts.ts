import type {
  SessionTranscripts,
  TranscriptAgent,
  TranscriptEvent,
  TranscriptFile,
} from '../agents/agent.ts';
import type { Settings } from '../config/settings.ts';
import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Store } from '../store/store.ts';
import type { SpoolIntake } from '../store/types/intake.ts';
import type { SessionKeys } from '../store/types/transcript.ts';
import { createCapturedEvent } from './intake.ts';
import { listPausedPeriods } from './pauses.ts';
import { redactDerived, redactValue } from './redact/redact-value.ts';
import { toStoredPlace } from './stored-place.ts';
import { createUnknownFilter } from './unknown-filter.ts';

const BATCH_EVENTS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Newer records of an open session are skipped: the hook that reports them may still be running. */
const GRACE_MS = 10_000;
const VIA = 'transcript';

export interface IngestOptions {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
  /** Null if there is no database yet, which is allowed only in a dry run. */
  store: Pick<
    Store,
    'ingest' | 'findIngestedNames' | 'readSessionKeys' | 'getTranscriptPosition' | 'saveTranscriptPosition'
  > | null;
  /** Counts without storing. */
  isDryRun?: boolean;
  onBroken?: (where: string, why: string) => void;
}

export interface IngestCounts {
  prompts: number;
  calls: number;
  turns: number;
  /** All new events, including those three. */
  added: number;
  broken: number;
}

export const NO_COUNTS: IngestCounts = { prompts: 0, calls: 0, turns: 0, added: 0, broken: 0 };

/** `bytes` were read since the previous batch; the counts are totals of the session. */
export interface IngestProgress {
  bytes: number;
  counts: IngestCounts;
}

export interface SessionReading {
  agent: TranscriptAgent;
  transcripts: SessionTranscripts;
  keys: SessionKeys | null;
  folder: string | undefined;
  /** The session has ended: calls and turns without an end were cut off. */
  isOver: boolean;
}

/**
 * Ingests new events of a session's transcripts from where they were last read. Yields after each batch is on disk,
 * so the caller may stop there.
 */
export function* ingestTranscripts(
  options: IngestOptions,
  reading: SessionReading,
): Generator<IngestProgress, IngestCounts> {
  const { transcripts, keys, folder } = reading;
  const counts = { ...NO_COUNTS };
  const isNews = createUnknownFilter(keys, listPausedPeriods(options.paths, folder, transcripts.sessionId));
  let lastAt = keys?.lastSeen ?? 0;
  for (const file of transcripts.files) {
    const last = yield* ingestFile(options, reading, file, isNews, counts);
    if (!file.subagent) lastAt = Math.max(lastAt, last);
  }
  const isOpen = keys === null ? counts.added > 0 : !keys.hasHooks && keys.endedAt === null;
  if (reading.isOver && isOpen) keep(options, reading, [endOf(reading, lastAt)], counts);
  return counts;
}

function* ingestFile(
  options: IngestOptions,
  reading: SessionReading,
  file: TranscriptFile,
  isNews: (event: TranscriptEvent) => boolean,
  counts: IngestCounts,
): Generator<IngestProgress, number> {
  const { agent, transcripts: session, isOver } = reading;
  const { transcripts } = agent;
  const from = resumeOffset(options, agent, file);
  const [main = file] = session.files;
  const reader = transcripts.createReader({
    sessionId: session.sessionId,
    path: main.path,
    ...(file.subagent && { subagent: { ...file.subagent, path: file.path } }),
  });
  // Only a session with running hooks can report the same event again.
  const isReported = reading.keys?.hasHooks === true;
  const until = isOver || !isReported ? Number.POSITIVE_INFINITY : options.now() - GRACE_MS;
  let batch: TranscriptEvent[] = [];
  let readTo = from;
  let flushedTo = from;
  let isWhole = true;

  for (const record of from < file.size ? transcripts.readRecords(file.path, from) : []) {
    if ('problem' in record) {
      counts.broken++;
      options.onBroken?.(record.where, record.problem);
    } else {
      if ((transcripts.timeOf(record.value) ?? 0) > until) {
        isWhole = false;
        break;
      }
      batch.push(...reader.read(record.value, record).filter(isNews));
    }
    readTo = record.end;
    if (batch.length >= BATCH_EVENTS || readTo - flushedTo >= BATCH_BYTES) yield flush();
  }
  const isFinished = isOver || file.subagent?.isFinished === true || (!isReported && reader.isAnswered());
  if (isWhole) batch.push(...reader.finish(isFinished).filter(isNews));
  yield flush();
  return reader.lastAt();

  function flush(): IngestProgress {
    const bytes = readTo - flushedTo;
    keep(options, reading, batch, counts);
    const offset = Math.max(from, Math.min(reader.settledOffset(), readTo));
    const size = Math.max(file.size, readTo);
    if (!options.isDryRun)
      options.store?.saveTranscriptPosition(
        redactValue(file.path),
        redactValue(session.sessionId),
        { offset, size },
        options.now(),
      );
    batch = [];
    flushedTo = readTo;
    return { bytes, counts };
  }
}

/** Where to continue reading; the start if the file was replaced. */
export function resumeOffset(
  { store }: Pick<IngestOptions, 'store'>,
  { transcripts }: TranscriptAgent,
  file: TranscriptFile,
): number {
  const position = store?.getTranscriptPosition(redactValue(file.path));
  if (!position || file.size < position.size) return 0;
  return transcripts.isRecordStart(file.path, position.offset) ? position.offset : 0;
}

function keep(
  options: IngestOptions,
  reading: SessionReading,
  events: TranscriptEvent[],
  counts: IngestCounts,
): void {
  // A fork's transcript begins with a copy of its parent's.
  const known = options.store?.findIngestedNames(events.map(nameOf)) ?? new Set();
  const news = events.filter((event) => !known.has(nameOf(event)));
  if (!options.isDryRun && news.length > 0) {
    const files = news.map((event) => intakeOf(options, reading, event));
    options.store?.ingest(files, options.now());
  }
  counts.added += news.length;
  for (const { event } of news) {
    if (event.kind === 'prompt') counts.prompts++;
    if (event.kind === 'tool-end') counts.calls++;
    if (event.kind === 'turn-end') counts.turns++;
  }
}

function nameOf({ key }: TranscriptEvent): string {
  return `${VIA}.${key}`;
}

function intakeOf(
  { settings }: IngestOptions,
  { agent: { id: agent }, folder }: SessionReading,
  transcriptEvent: TranscriptEvent,
): Redacted<SpoolIntake> {
  const { at, branch } = transcriptEvent;
  const name = nameOf(transcriptEvent);
  // Everything below this line is redacted.
  const event = redactValue(transcriptEvent.event, { maxText: settings['capture.maxText'] });
  const source = { agent, at, via: VIA, spoolName: name, ...(folder && { projectDir: folder }) };
  const place = folder ? placeThen(folder, branch) : undefined;
  const events = [createCapturedEvent(event, source, settings)];
  const head = { name, agent, hook: VIA, via: VIA, at, events };
  return { ...redactDerived(head, event), ...(place && { place }) };
}

/** The place with the branch of that time, not the current one. */
function placeThen(folder: string, branch: string | undefined): Redacted<Place> {
  const { branch: today, ...place } = knownPlace(folder);
  const then = branch === undefined ? today : redactValue(branch);
  return { ...place, ...(then !== undefined && { branch: then }) };
}

let lastPlace: { folder: string; place: Redacted<Place> } | undefined;

/** A session stays in its folder, and finding its repository touches the disk. */
function knownPlace(folder: string): Redacted<Place> {
  if (lastPlace?.folder !== folder) lastPlace = { folder, place: toStoredPlace(folder) };
  return lastPlace.place;
}

/** A transcript does not record how its session ended. */
function endOf({ transcripts, folder }: SessionReading, at: number): TranscriptEvent {
  const { sessionId } = transcripts;
  return {
    event: { kind: 'session-end', sessionId, ...(folder && { cwd: folder }), reason: 'unknown' },
    at,
    key: `${sessionId}.end.${at}`,
  };
}
