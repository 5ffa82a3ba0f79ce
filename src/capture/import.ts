import { sep } from 'node:path';
import type {
  SessionTranscripts,
  TranscriptAgent,
  TranscriptFile,
  TranscriptOpening,
} from '../agents/agent.ts';
import { errorCode } from '../platform/files.ts';
import { UnreadableDatabase } from '../platform/other-database.ts';
import { findPlace } from './place.ts';
import { isUnreadable, planReading } from './reconcile.ts';
import {
  type IngestCounts,
  type IngestOptions,
  ingestTranscripts,
  NO_COUNTS,
  resumeOffset,
} from './transcripts.ts';

/** How many broken lines are reported in detail; the rest are only counted. */
const MOST_NAMED = 100;

export interface ImportOptions {
  agent: TranscriptAgent;
  transcripts: string;
  /** Only sessions that were active since then. */
  since?: number;
  folder?: string;
  session?: string;
  /** Stops early; the next import continues. */
  stop?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress extends IngestCounts {
  sessions: number;
  allSessions: number;
  bytes: number;
  allBytes: number;
}

export interface ImportResult extends ImportProgress {
  isStopped: boolean;
  /** Path and line number, and the problem. */
  brokenLines: { where: string; why: string }[];
}

/** The transcripts that an import would read. */
export interface ImportPlan {
  /** Oldest first. */
  sessions: SessionTranscripts[];
  /** Bytes that were not read before. */
  bytes: number;
}

export function planImport(ingest: IngestOptions, options: ImportOptions): ImportPlan {
  const sessions = sessionsFor(ingest, options);
  const unread = sessions.map((transcripts) => unreadBytes(ingest, options.agent, transcripts));
  return { sessions, bytes: unread.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Imports past sessions, oldest first. Sessions that were imported before are skipped. */
export async function importTranscripts(
  ingest: IngestOptions,
  options: ImportOptions,
  { sessions: chosen, bytes: allBytes }: ImportPlan = planImport(ingest, options),
): Promise<ImportResult> {
  const { agent, stop, onProgress = () => {} } = options;
  const brokenLines: ImportResult['brokenLines'] = [];
  const noteBroken = (where: string, why: string) => {
    if (brokenLines.length < MOST_NAMED) brokenLines.push({ where, why });
  };
  const progress: ImportProgress = {
    ...NO_COUNTS,
    sessions: 0,
    allSessions: chosen.length,
    bytes: 0,
    allBytes,
  };

  for (const transcripts of chosen) {
    const stopped = await importSession(transcripts);
    if (stopped) return { ...stopped, isStopped: true, brokenLines };
    progress.sessions++;
    onProgress(progress);
  }
  return { ...progress, isStopped: false, brokenLines };

  /** @returns the progress so far if it was stopped, else null. */
  async function importSession(transcripts: SessionTranscripts): Promise<ImportProgress | null> {
    let bytes = progress.bytes;
    try {
      const reading = planReading(ingest, agent, transcripts);
      const steps = ingestTranscripts({ ...ingest, onBroken: noteBroken }, reading);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        bytes += step.value.bytes;
        const soFar = { ...progress, bytes };
        addTo(soFar, step.value.counts);
        onProgress(soFar);
        // Lets signal handlers and the progress display run.
        await new Promise((resolve) => setImmediate(resolve));
        if (stop?.aborted) return soFar;
      }
      addTo(progress, step.value);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      progress.broken++;
      const path = transcripts.files[0]?.path ?? transcripts.sessionId;
      noteBroken(path, reasonOf(error));
    }
    progress.bytes = bytes;
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableDatabase) return error.reason;
  return `it cannot be read (${errorCode(error)})`;
}

function addTo(total: IngestCounts, counts: IngestCounts): void {
  for (const name of Object.keys(NO_COUNTS) as (keyof IngestCounts)[]) total[name] += counts[name];
}

function unreadBytes(ingest: IngestOptions, agent: TranscriptAgent, { files }: SessionTranscripts): number {
  return files.reduce((sum, file) => sum + Math.max(0, file.size - resumeOffset(ingest, agent, file)), 0);
}

function sessionsFor({ paths }: IngestOptions, options: ImportOptions): SessionTranscripts[] {
  const { agent, transcripts: root, since = 0, folder, session } = options;
  const project = folder === undefined ? undefined : findPlace(folder).path;
  const found: { transcripts: SessionTranscripts; at: number }[] = [];
  for (const transcripts of agent.transcripts.findAll(root)) {
    const [main] = transcripts.files;
    // Without the session's own file, subagents cannot be attributed.
    if (!main || main.subagent) continue;
    if (session !== undefined && transcripts.sessionId !== session) continue;
    if (Math.max(...transcripts.files.map(({ changedAt }) => changedAt)) < since) continue;
    const opening = openingIfReadable(agent, main);
    // Cairn runs models in a folder in its home; those are not the person's sessions.
    if (isBelow(paths.home, opening.folder)) continue;
    if (project !== undefined && (!opening.folder || findPlace(opening.folder).path !== project)) continue;
    found.push({ transcripts, at: opening.at ?? main.changedAt });
  }
  return found.sort((a, b) => a.at - b.at).map(({ transcripts }) => transcripts);
}

function openingIfReadable({ transcripts }: TranscriptAgent, { path }: TranscriptFile): TranscriptOpening {
  try {
    return transcripts.readOpening(path);
  } catch {
    return {};
  }
}

function isBelow(home: string, folder: string | undefined): boolean {
  return folder !== undefined && (folder === home || folder.startsWith(`${home}${sep}`));
}
