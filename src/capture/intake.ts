import type { Agent } from '../agents/agent.ts';
import { agentById } from '../agents/all.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentEvent, CapturedEvent, EventKind } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';
import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import { doesFolderAnswer } from '../platform/folder-answers.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { HookStore } from '../store/store.ts';
import type { SpoolIntake } from '../store/types/intake.ts';
import { markCaptureBroken, markCaptureWorks } from './broken-capture.ts';
import { hasTooManyValues } from './count-values.ts';
import { priorityOf } from './priority.ts';
import { isWhollyPrivate, stripPrivate } from './private.ts';
import { redactAndClip } from './redact/clip.ts';
import { redactDerived, redactValue } from './redact/redact-value.ts';
import {
  listSpool,
  readSpoolFile,
  removeSpoolFile,
  type SpoolFile,
  setSpoolFileAside,
  sortByTime,
  type WaitingFile,
} from './spool.ts';
import { toStoredPlace } from './stored-place.ts';
import { findUnknownFields } from './unknown-fields.ts';

/** Small batches keep the wait short for a hook that needs the database. */
const BATCH_FILES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;
/** The limit for files of the same moment, which stay in one batch. */
const MOST_IN_BATCH = 2 * BATCH_FILES;

export interface IntakeOptions {
  paths: Paths;
  store: Pick<HookStore, 'ingest'>;
  settings: Settings;
  log: Log;
  now?: () => number;
  /** Finds the project of a folder; by default waits one second for a disk that may be dead. */
  locate?: (folder: string) => FoundPlace;
}

/** `no answer`: the disk does not respond, so the store uses what it knows. `later`: the file stays in the spool. */
export type FoundPlace = Redacted<Place> | 'no answer' | 'later';

export interface IntakeResult {
  stored: number;
  doubled: number;
  setAside: number;
  /** Files still in the spool: unfinished, or left because of the deadline. */
  left: number;
}

export interface IntakeLimits {
  names?: string[];
  /** Only files whose name this accepts. */
  only?: (name: string) => boolean;
  /** No file is started after this time. */
  until?: number;
  /** Like `until`, counted from the first file, so some files are always ingested. */
  forMs?: number;
  batchFiles?: number;
  /** Larger files are skipped: a hook has no time for them. */
  largestFile?: number;
}

/** Converts spool files to events in batches; each file is removed only after its batch is on disk. */
export function ingestSpool(intake: IntakeOptions, limits: IntakeLimits = {}): IntakeResult {
  const { paths, now = Date.now } = intake;
  const {
    names = listSpool(paths),
    only = () => true,
    forMs = Number.POSITIVE_INFINITY,
    batchFiles = BATCH_FILES,
    largestFile = Number.POSITIVE_INFINITY,
  } = limits;
  const result: IntakeResult = { stored: 0, doubled: 0, setAside: 0, left: 0 };
  const locate = rememberPlaces(intake.locate ?? locateFolder);

  const waiting = sortByTime(paths, names.filter(only)).filter(({ size }) => size <= largestFile);
  const until = limits.until ?? now() + forMs;
  let next = 0;
  while (next < waiting.length && now() < until) {
    const batch: { file: string; read: Redacted<SpoolIntake> }[] = [];
    for (let bytes = 0; ; next++) {
      const file = waiting[next];
      if (!file) break;
      const isFull =
        batch.length >= batchFiles || bytes >= BATCH_BYTES || (batch.length > 0 && now() >= until);
      if (isFull && (batch.length >= MOST_IN_BATCH || !isSameMoment(file, waiting[next - 1]))) break;
      bytes += file.size;
      const read = readOne(intake, file.name, locate);
      if (read === 'aside') result.setAside++;
      else if (read) batch.push({ file: file.name, read });
      else result.left++;
    }
    if (batch.length === 0) continue;
    batch.sort((a, b) => byTime(a.read, b.read));
    const taken = intake.store.ingest(
      batch.map(({ read }) => read),
      now(),
    );
    // Uses the name on disk: a redacted name would match no file.
    for (const { file } of batch) if (!removeSpoolFile(paths, file)) result.left++;
    result.stored += taken.stored;
    result.doubled += taken.doubled;
    for (const {
      read: { name, hook, agent, events },
    } of batch)
      intake.log.debug('ingested', { event: name, agent, hook, events: events.length });
  }
  result.left += waiting.length - next + (names.length - waiting.length);
  return result;
}

/** Files of the same moment are sorted within their batch, so they stay together. */
function isSameMoment(file: WaitingFile, before: WaitingFile | undefined): boolean {
  return before !== undefined && Math.round(file.at) === Math.round(before.at);
}

/** Files of the same moment (some disks store times to a few milliseconds) are sorted in life-cycle order. */
function byTime(a: SpoolIntake, b: SpoolIntake): number {
  return a.at - b.at || stageOf(a) - stageOf(b);
}

function stageOf({ events: [first] }: SpoolIntake): number {
  return first ? STAGES.indexOf(first.event.kind) : -1;
}

const STAGES: EventKind[] = [
  'setup',
  'session-start',
  'prompt',
  'tool-start',
  'permission-request',
  'tool-end',
  'subagent-end',
  'compact-start',
  'compact-end',
  'turn-end',
  'session-end',
];

function locateFolder(folder: string): FoundPlace {
  return doesFolderAnswer(folder) ? toStoredPlace(folder) : 'no answer';
}

function rememberPlaces(locate: (folder: string) => FoundPlace): (folder: string) => FoundPlace {
  const known = new Map<string, FoundPlace>();
  return (folder) => {
    const location = known.get(folder) ?? locate(folder);
    known.set(folder, location);
    return location;
  };
}

/**
 * One bad file never stops the others. `null`: the file stays for a later intake, being unfinished or unreadable.
 */
function readOne(
  intake: IntakeOptions,
  name: string,
  locate: (folder: string) => FoundPlace,
): Redacted<SpoolIntake> | 'aside' | null {
  const { paths, log, now = Date.now } = intake;
  const file = readSpoolFile(paths, name, now());
  if (file === null) return null;
  if (file === 'unreadable') {
    log.warn('spool file cannot be read', { event: name });
    return null;
  }
  if (file === 'torn') return putAside(intake, name, 'it was cut off while it was written');
  if (file === 'too large') return putAside(intake, name, 'it is too large');
  const agent = agentById(file.agent);
  if (!agent) return putAside(intake, name, `there is no agent ${file.agent}`);
  if (isBlank(file.payload)) {
    markCaptureBroken(paths, { agent: file.agent, hook: file.hook, at: file.at });
    log.warn('hook got no input on stdin', { event: name, agent: file.agent, hook: file.hook });
    return { ...redactValue(headOf(file)), events: [] };
  }
  if (hasTooManyValues(file.payload)) return putAside(intake, name, 'it has too many values');
  const payload = parse(file.payload);
  if (payload === undefined) return putAside(intake, name, 'its payload is not JSON');
  markCaptureWorks(paths, { agent: file.agent, hook: file.hook, at: file.at });
  try {
    return parseEvents(intake, agent, file, payload, locate);
  } catch (error) {
    return putAside(intake, name, describeError(error));
  }
}

/** `null`: the project of its folder is found later. */
function parseEvents(
  { settings }: IntakeOptions,
  agent: Agent,
  file: SpoolFile,
  payload: Json,
  locate: (folder: string) => FoundPlace,
): Redacted<SpoolIntake> | null {
  // Everything below this line is redacted.
  const clean = redactValue(payload, { maxText: settings['capture.maxText'] });
  const { at, via, name: spoolName, projectDir } = file;
  const source = { agent: agent.id, at, via, spoolName, ...(projectDir && { projectDir }) };
  const isRepeat = agent.hooks.repeats?.includes(file.hook) === true;
  const events = (isRepeat ? [] : agent.toEvents(file.hook, clean)).map((event) =>
    createCapturedEvent(event, source, settings),
  );
  const folder = file.projectDir ?? events[0]?.event.cwd;
  const location = folder === undefined ? undefined : locate(folder);
  if (location === 'later') return null;
  const unknownFields = findUnknownFields(agent, clean);
  const withUnknown = unknownFields.length > 0 && { unknownFields };
  const head = redactDerived({ ...headOf(file), ...withUnknown, events }, clean);
  return { ...head, ...(typeof location === 'object' && { place: location }) };
}

/** A redacted event with its metadata; the same for hooks and transcripts. */
export function createCapturedEvent(
  event: AgentEvent,
  source: Omit<CapturedEvent, 'event' | 'priority' | 'isPrivate'>,
  settings: Settings,
): CapturedEvent {
  return {
    ...source,
    event,
    priority: priorityOf(event, settings['capture.metaTools']),
    at: Math.round(source.at),
    ...(event.kind === 'prompt' && isWhollyPrivate(event.text) && { isPrivate: true }),
  };
}

function headOf({ name, agent, hook, via, at }: SpoolFile): Omit<SpoolIntake, 'events' | 'place'> {
  return { name, agent, hook, via, at: Math.round(at) };
}

function putAside({ paths, settings, log }: IntakeOptions, name: string, why: string): 'aside' | null {
  const clean = (text: string) => redactAndClip(stripPrivate(text), settings['capture.maxText']);
  if (!setSpoolFileAside(paths, name, clean)) {
    log.warn('spool file cannot be set aside', { event: name, why });
    return null;
  }
  log.warn('spool file set aside', { event: name, why });
  return 'aside';
}

function isBlank(payload: Buffer): boolean {
  return payload.length < 1_000 && payload.toString('latin1').trim() === '';
}

function parse(payload: Buffer): Json | undefined {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}
