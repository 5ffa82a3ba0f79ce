import { sep } from 'node:path';
import {
  findTranscripts,
  openingOf,
  type SessionTranscripts,
  type TranscriptFile,
} from '../agents/claude-code/transcript.ts';
import { errorCode } from '../platform/files.ts';
import { placeOf } from './place.ts';
import { readingOf } from './reconcile.ts';
import {
  NOTHING_TOLD,
  startOf,
  type ToldCounts,
  type TranscriptWorld,
  takeInTranscripts,
} from './transcripts.ts';

/** More broken lines are only counted. */
const MOST_NAMED = 100;

export interface ImportOptions {
  /** Where the client keeps its transcripts. */
  projects: string;
  /** Only sessions that were at work then or later. */
  since?: number;
  /** Only sessions of this folder's project. */
  folder?: string;
  /** Only this session. */
  session?: string;
  /** Leaves the rest to the next time. */
  stop?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress extends ToldCounts {
  sessions: number;
  allSessions: number;
  bytes: number;
  allBytes: number;
}

export interface ImportResult extends ImportProgress {
  isStopped: boolean;
  /** Path and line number, and what is wrong there. */
  brokenLines: { where: string; why: string }[];
}

/** Past sessions become memory, oldest first. Whatever was imported before is passed over. */
export async function importTranscripts(
  world: TranscriptWorld,
  options: ImportOptions,
): Promise<ImportResult> {
  const { stop, onProgress = () => {} } = options;
  const chosen = sessionsFor(world, options);
  const brokenLines: ImportResult['brokenLines'] = [];
  const noteBroken = (where: string, why: string) => {
    if (brokenLines.length < MOST_NAMED) brokenLines.push({ where, why });
  };
  const progress: ImportProgress = {
    ...NOTHING_TOLD,
    sessions: 0,
    allSessions: chosen.length,
    bytes: 0,
    allBytes: chosen.reduce((sum, transcripts) => sum + unreadBytes(world, transcripts), 0),
  };

  for (const transcripts of chosen) {
    let bytes = progress.bytes;
    try {
      const work = takeInTranscripts({ ...world, onBroken: noteBroken }, readingOf(world, transcripts));
      for (let step = work.next(); ; step = work.next()) {
        if (step.done) {
          addTo(progress, step.value);
          break;
        }
        bytes += step.value.bytes;
        const soFar = { ...progress, bytes };
        addTo(soFar, step.value.counts);
        onProgress(soFar);
        // Lets signals and the screen have their turn.
        await new Promise((resolve) => setImmediate(resolve));
        if (stop?.aborted) return { ...soFar, isStopped: true, brokenLines };
      }
    } catch (error) {
      if (!/^E(?!RR_)[A-Z]+$/.test(errorCode(error) ?? '')) throw error;
      progress.broken++;
      noteBroken(
        transcripts.files[0]?.path ?? transcripts.sessionId,
        `it cannot be read (${errorCode(error)})`,
      );
    }
    progress.bytes = bytes;
    progress.sessions++;
    onProgress(progress);
  }
  return { ...progress, isStopped: false, brokenLines };
}

function addTo(total: ToldCounts, counts: ToldCounts): void {
  for (const name of Object.keys(NOTHING_TOLD) as (keyof ToldCounts)[]) total[name] += counts[name];
}

function unreadBytes(world: TranscriptWorld, { files }: SessionTranscripts): number {
  return files.reduce((sum, file) => sum + Math.max(0, file.size - startOf(world, file)), 0);
}

function sessionsFor(world: TranscriptWorld, options: ImportOptions): SessionTranscripts[] {
  const { projects, since = 0, folder, session } = options;
  const project = folder === undefined ? undefined : placeOf(folder).path;
  const found: { transcripts: SessionTranscripts; at: number }[] = [];
  for (const transcripts of findTranscripts(projects)) {
    const [main] = transcripts.files;
    // Without the session's own file nobody knows what its subagents were for.
    if (!main || main.subagent) continue;
    if (session !== undefined && transcripts.sessionId !== session) continue;
    if (Math.max(...transcripts.files.map(({ changedAt }) => changedAt)) < since) continue;
    const opening = openingIfReadable(main);
    if (isOwn(world, opening.folder)) continue;
    if (project !== undefined && (!opening.folder || placeOf(opening.folder).path !== project)) continue;
    found.push({ transcripts, at: opening.at ?? main.changedAt });
  }
  return found.sort((a, b) => a.at - b.at).map(({ transcripts }) => transcripts);
}

function openingIfReadable(file: TranscriptFile): ReturnType<typeof openingOf> {
  try {
    return openingOf(file.path);
  } catch {
    return {};
  }
}

/** Cairn asks models from a folder of its own; that is no work of the person's. */
function isOwn({ paths }: TranscriptWorld, folder: string | undefined): boolean {
  return folder !== undefined && (folder === paths.home || folder.startsWith(`${paths.home}${sep}`));
}
