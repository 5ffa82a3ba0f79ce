import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMissing, listNames } from '../platform/files.ts';
import { readFirstBytes } from '../platform/lines.ts';
import type { SessionTranscripts, TranscriptFile, TranscriptOpening, Transcripts } from './agent.ts';
import { jsonLines } from './json-lines.ts';

/** Shared by agents that keep a session in one file with a JSON value per line. */

const HEAD_BYTES = 64 * 1024;

type OwnParts = Pick<Transcripts, 'folder' | 'findAll' | 'createReader' | 'readAnswer'> &
  Partial<Transcripts>;

/** Transcripts with the usual defaults: one file per session, with its start time and folder in the first lines. */
export function createTranscripts(own: OwnParts): Transcripts {
  const { findAll, readOpening = readStampedOpening } = own;
  return {
    ...jsonLines,
    findProjectFolders: (folder) => listOpeningFolders(findAll(folder), readOpening),
    findSession: findSingleFile,
    readOpening,
    ...own,
  };
}

/** Undefined if the file is missing, also if a part of its path is a file. */
export function fileAt(path: string): TranscriptFile | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? { path, size: stats.size, changedAt: stats.mtimeMs } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function findSingleFile(path: string, sessionId: string): SessionTranscripts {
  const file = fileAt(path);
  return { sessionId, files: file ? [file] : [] };
}

/** `<project>/<session>.jsonl` below the folder, or in a folder of that name in each project. */
export function findInProjects(folder: string, inside = ''): SessionTranscripts[] {
  return listNames(folder).flatMap((slug) => {
    const project = join(folder, slug, inside);
    return listNames(project)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => findSingleFile(join(project, name), basename(name, '.jsonl')));
  });
}

/** Several files may belong to one session: its own come first, then those of subagents. */
export function groupBySession(found: { sessionId: string; file: TranscriptFile }[]): SessionTranscripts[] {
  const sessions = new Map<string, TranscriptFile[]>();
  for (const { sessionId, file } of found)
    sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), file]);
  return [...sessions].map(([sessionId, files]) => ({ sessionId, files: sortOwnFirst(files) }));
}

export function sortOwnFirst(files: TranscriptFile[]): TranscriptFile[] {
  return files.toSorted((a, b) => Number(a.subagent !== undefined) - Number(b.subagent !== undefined));
}

/** The first `timestamp` and `cwd` in the file. */
export function readStampedOpening(path: string): TranscriptOpening {
  const head = readFirstBytes(path, HEAD_BYTES);
  const at = Date.parse(/"timestamp"\s*:\s*"([^"]+)"/.exec(head)?.[1] ?? '');
  const folder = parseText(/"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return toOpening(at, folder);
}

/** The folders in which these sessions began. */
function listOpeningFolders(
  sessions: SessionTranscripts[],
  readOpening: Transcripts['readOpening'],
): string[] {
  const folders = sessions.flatMap(({ files }) =>
    files.flatMap(({ path }) => readOpening(path).folder ?? []),
  );
  return [...new Set(folders)];
}

/** For agents that record the start time and folder of a session in a separate file. */
export function toOpening(at: number | undefined, folder: string | undefined): TranscriptOpening {
  const isTime = at !== undefined && !Number.isNaN(at);
  return { ...(isTime && { at }), ...(folder && { folder }) };
}

function parseText(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
