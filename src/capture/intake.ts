import type { Agent } from '../agents/agent.ts';
import { agentById } from '../agents/all.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentEvent, CapturedEvent, EventKind } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';
import type { Place } from '../model/project.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { HookStore, SpoolIntake } from '../store/store.ts';
import { markCaptureBroken, markCaptureWorks } from './capture-broken.ts';
import { cleanPayload } from './clean.ts';
import { placeOf } from './place.ts';
import { priorityOf } from './priority.ts';
import { isWhollyPrivate } from './private.ts';
import { inTimeOrder, listSpool, readSpoolFile, removeSpoolFile, type SpoolFile, setAside } from './spool.ts';

const BATCH_FILES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export interface Intake {
  paths: Paths;
  store: Pick<HookStore, 'takeIn'>;
  settings: Settings;
  log: Log;
  now?: () => number;
}

export interface IntakeResult {
  stored: number;
  doubled: number;
  setAside: number;
  /** Files that are still there: young and unfinished, or left by the deadline. */
  left: number;
}

export interface IntakeLimits {
  /** The spool files, for whoever has listed them already. */
  names?: string[];
  /** Only files whose name this accepts. */
  only?: (name: string) => boolean;
  /** No file is begun after this time. */
  until?: number;
  batchFiles?: number;
}

/** Spool files become events, batch by batch; each is removed only when its batch is on the disk. */
export function takeInSpool(intake: Intake, limits: IntakeLimits = {}): IntakeResult {
  const { paths, now = Date.now } = intake;
  const {
    names = listSpool(paths),
    only = () => true,
    until = Number.POSITIVE_INFINITY,
    batchFiles = BATCH_FILES,
  } = limits;
  const result: IntakeResult = { stored: 0, doubled: 0, setAside: 0, left: 0 };
  const places = new Map<string, Place>();

  const waiting = inTimeOrder(paths, names.filter(only));
  let next = 0;
  while (next < waiting.length && now() < until) {
    const batch: SpoolIntake[] = [];
    for (let bytes = 0; batch.length < batchFiles && bytes < BATCH_BYTES; next++) {
      const file = waiting[next];
      if (!file || (batch.length > 0 && now() >= until)) break;
      bytes += file.size;
      const read = readOne(intake, file.name, places);
      if (read === 'aside') result.setAside++;
      else if (read) batch.push(read);
      else result.left++;
    }
    if (batch.length === 0) continue;
    batch.sort(byTime);
    const taken = intake.store.takeIn(batch, now());
    for (const { name } of batch) removeSpoolFile(paths, name);
    result.stored += taken.stored;
    result.doubled += taken.doubled;
    for (const { name, hook, agent, events } of batch)
      intake.log.debug('taken in', { event: name, agent, hook, events: events.length });
  }
  result.left += waiting.length - next + (names.length - waiting.length);
  return result;
}

/** Files of the same moment (some disks know it only to a few milliseconds) in the order of a session's life. */
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

/**
 * One bad file never stops the others. `null`: not finished yet. Trouble with the disk is not the file's
 * fault: it ends this intake, and the file waits for the next.
 */
function readOne(intake: Intake, name: string, places: Map<string, Place>): SpoolIntake | 'aside' | null {
  const { paths, log, now = Date.now } = intake;
  const file = readSpoolFile(paths, name, now());
  if (file === null) return null;
  if (file === 'torn') return putAside(intake, name, 'it was cut off while it was written');
  const agent = agentById(file.agent);
  if (!agent) return putAside(intake, name, `there is no agent ${file.agent}`);
  if (isBlank(file.payload)) {
    markCaptureBroken(paths, { agent: file.agent, hook: file.hook, at: file.at });
    log.warn('hook was given nothing on stdin', { event: name, agent: file.agent, hook: file.hook });
    return { ...headOf(file), events: [] };
  }
  const payload = parse(file.payload);
  if (payload === undefined) return putAside(intake, name, 'its payload is not JSON');
  markCaptureWorks(paths, { agent: file.agent, hook: file.hook, at: file.at });
  try {
    return understand(intake, agent, file, payload, places);
  } catch (error) {
    return putAside(intake, name, describeError(error));
  }
}

function understand(
  { settings }: Intake,
  agent: Agent,
  file: SpoolFile,
  payload: Json,
  places: Map<string, Place>,
): SpoolIntake {
  // Nothing behind this line has seen a secret or a private word.
  const clean = cleanPayload(payload, { maxText: settings['capture.maxText'] });
  const { at, via, name: spoolName, projectDir } = file;
  const source = { agent: agent.id, at, via, spoolName, ...(projectDir && { projectDir }) };
  const events = agent.toEvents(file.hook, clean).map((event) => asCaptured(event, source, settings));
  const folder = file.projectDir ?? events[0]?.event.cwd;
  return { ...headOf(file), events, ...(folder && { place: placeIn(places, folder) }) };
}

/** A clean event with what intake knows of it; the same for hooks and for transcripts. */
export function asCaptured(
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

function placeIn(places: Map<string, Place>, folder: string): Place {
  const known = places.get(folder);
  if (known) return known;
  const place = placeOf(folder);
  places.set(folder, place);
  return place;
}

function putAside({ paths, log }: Intake, name: string, why: string): 'aside' {
  setAside(paths, name);
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
