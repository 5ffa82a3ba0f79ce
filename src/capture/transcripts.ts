import { claudeCode } from '../agents/claude-code/adapter.ts';
import type { SessionTranscripts, TranscriptFile } from '../agents/claude-code/transcript.ts';
import { createTranscriptReader, type ToldEvent } from '../agents/claude-code/transcript-reader.ts';
import type { Settings } from '../config/settings.ts';
import type { Json } from '../model/json.ts';
import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import { beginsLine, lineNumberAt, linesOf } from '../platform/lines.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { SpoolIntake, Store } from '../store/store.ts';
import type { SessionKeys } from '../store/transcript-store.ts';
import { asCaptured } from './intake.ts';
import { createNewsFilter } from './news.ts';
import { pausedPeriods } from './paused.ts';
import { redactDerived, redactValue } from './redact/redact-value.ts';
import { storedPlaceOf } from './stored-place.ts';

const BATCH_EVENTS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Younger lines of a session that goes on are left: the hook that tells of them may still be on its way. */
const GRACE_MS = 10_000;
const VIA = 'transcript';

export interface TranscriptWorld {
  paths: Paths;
  settings: Settings;
  log: Log;
  now: () => number;
  /** Null while there is no memory yet, which is only right for a dry run. */
  store: Pick<
    Store,
    'takeIn' | 'namesTakenIn' | 'sessionKeys' | 'transcriptPosition' | 'saveTranscriptPosition'
  > | null;
  /** Counts, and keeps nothing. */
  isDryRun?: boolean;
  /** A line that could not be read, by its path and number. */
  onBroken?: (where: string, why: string) => void;
}

export interface ToldCounts {
  prompts: number;
  calls: number;
  turns: number;
  /** Everything that was new, those three included. */
  added: number;
  broken: number;
}

export const NOTHING_TOLD: ToldCounts = { prompts: 0, calls: 0, turns: 0, added: 0, broken: 0 };

/** What was read since the piece before; the counts are the session's so far. */
export interface ReadPiece {
  bytes: number;
  counts: ToldCounts;
}

export interface SessionReading {
  transcripts: SessionTranscripts;
  keys: SessionKeys | null;
  folder: string | undefined;
  /** Nothing more will come: what has no end yet was cut off. */
  isOver: boolean;
}

/**
 * Takes in what a session's transcripts tell and nobody knew, from where they were last read. Yields after
 * each batch, when all before it is on the disk, so that it may be left at any of them.
 */
export function* takeInTranscripts(
  world: TranscriptWorld,
  reading: SessionReading,
): Generator<ReadPiece, ToldCounts> {
  const { transcripts, keys, folder } = reading;
  const counts = { ...NOTHING_TOLD };
  const isNews = createNewsFilter(keys, pausedPeriods(world.paths, folder, transcripts.sessionId));
  let lastAt = keys?.lastSeen ?? 0;
  for (const file of transcripts.files) {
    const last = yield* takeInFile(world, reading, file, isNews, counts);
    if (!file.subagent) lastAt = Math.max(lastAt, last);
  }
  const isOpen = keys === null ? counts.added > 0 : !keys.isHooked && keys.endedAt === null;
  if (reading.isOver && isOpen) keep(world, reading, [endOf(reading, lastAt)], counts);
  return counts;
}

function* takeInFile(
  world: TranscriptWorld,
  reading: SessionReading,
  file: TranscriptFile,
  isNews: (told: ToldEvent) => boolean,
  counts: ToldCounts,
): Generator<ReadPiece, number> {
  const { transcripts, isOver } = reading;
  const from = startOf(world, file);
  const [main = file] = transcripts.files;
  const reader = createTranscriptReader({
    sessionId: transcripts.sessionId,
    path: main.path,
    ...(file.subagent && { subagent: { ...file.subagent, path: file.path } }),
  });
  const until = isOver ? Number.POSITIVE_INFINITY : world.now() - GRACE_MS;
  let batch: ToldEvent[] = [];
  let readTo = from;
  let flushedTo = from;
  let isWhole = true;

  for (const { start, end, bytes } of from < file.size ? linesOf(file.path, from) : []) {
    const line = bytes === null ? 'it is too long' : parse(bytes);
    if (typeof line === 'string') {
      counts.broken++;
      world.onBroken?.(`${file.path}:${lineNumberAt(file.path, start)}`, line);
    } else {
      if (timeIn(line.json) > until) {
        isWhole = false;
        break;
      }
      for (const told of reader.take(line.json, { start, end })) if (isNews(told)) batch.push(told);
    }
    readTo = end;
    if (batch.length >= BATCH_EVENTS || readTo - flushedTo >= BATCH_BYTES) yield flush();
  }
  if (isWhole)
    for (const told of reader.finish(isOver || file.subagent?.isFinished === true))
      if (isNews(told)) batch.push(told);
  yield flush();
  return reader.lastAt();

  function flush(): ReadPiece {
    const bytes = readTo - flushedTo;
    keep(world, reading, batch, counts);
    const offset = Math.max(from, Math.min(reader.settledUpTo(), readTo));
    const size = Math.max(file.size, readTo);
    if (!world.isDryRun)
      world.store?.saveTranscriptPosition(
        redactValue(file.path),
        redactValue(transcripts.sessionId),
        { offset, size },
        world.now(),
      );
    batch = [];
    flushedTo = readTo;
    return { bytes, counts };
  }
}

/** Where to go on; from the start if the file is another one than it was. */
export function startOf({ store }: Pick<TranscriptWorld, 'store'>, file: TranscriptFile): number {
  const position = store?.transcriptPosition(redactValue(file.path));
  if (!position || file.size < position.size) return 0;
  return beginsLine(file.path, position.offset) ? position.offset : 0;
}

function keep(world: TranscriptWorld, reading: SessionReading, told: ToldEvent[], counts: ToldCounts): void {
  // A fork's transcript begins with a copy of another's.
  const known = world.store?.namesTakenIn(told.map(nameOf)) ?? new Set();
  const news = told.filter((each) => !known.has(nameOf(each)));
  if (!world.isDryRun && news.length > 0) {
    const files = news.map((each) => intakeOf(world, reading, each));
    world.store?.takeIn(files, world.now());
  }
  counts.added += news.length;
  for (const { event } of news) {
    if (event.kind === 'prompt') counts.prompts++;
    if (event.kind === 'tool-end') counts.calls++;
    if (event.kind === 'turn-end') counts.turns++;
  }
}

function nameOf({ key }: ToldEvent): string {
  return `${VIA}.${key}`;
}

function intakeOf(
  { settings }: TranscriptWorld,
  { folder }: SessionReading,
  told: ToldEvent,
): Redacted<SpoolIntake> {
  const { at, branch } = told;
  const name = nameOf(told);
  // Nothing behind this line has seen a secret or a private word.
  const event = redactValue(told.event, { maxText: settings['capture.maxText'] });
  const source = {
    agent: claudeCode.id,
    at,
    via: VIA,
    spoolName: name,
    ...(folder && { projectDir: folder }),
  };
  const place = folder ? placeThen(folder, branch) : undefined;
  const events = [asCaptured(event, source, settings)];
  const head = { name, agent: claudeCode.id, hook: VIA, via: VIA, at, events };
  return { ...redactDerived(head, event), ...(place && { place }) };
}

/** The branch of that time, not the one that is checked out today. */
function placeThen(folder: string, branch: string | undefined): Redacted<Place> {
  const { branch: today, ...place } = knownPlace(folder);
  const then = branch === undefined ? today : redactValue(branch);
  return { ...place, ...(then !== undefined && { branch: then }) };
}

let lastPlace: { folder: string; place: Redacted<Place> } | undefined;

/** A session stays in its folder, and looking for its repository touches the disk. */
function knownPlace(folder: string): Redacted<Place> {
  if (lastPlace?.folder !== folder) lastPlace = { folder, place: storedPlaceOf(folder) };
  return lastPlace.place;
}

/** A transcript does not say how its session ended. */
function endOf({ transcripts, folder }: SessionReading, at: number): ToldEvent {
  const { sessionId } = transcripts;
  return {
    event: { kind: 'session-end', sessionId, ...(folder && { cwd: folder }), reason: 'unknown' },
    at,
    key: `${sessionId}.end.${at}`,
  };
}

function parse(bytes: Buffer): { json: Json } | string {
  try {
    return { json: bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON' : describeError(error);
  }
}

function timeIn(json: Json): number {
  const timestamp = typeof json === 'object' && json !== null && !Array.isArray(json) ? json.timestamp : null;
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
}
