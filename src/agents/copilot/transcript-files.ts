import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listEntries } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile, TranscriptOpening } from '../agent.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;
/** Each session has a folder with its id as name. */
const FILE = 'events.jsonl';

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'session-state');
}

export function findTranscripts(folder: string): SessionTranscripts[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ sessionId: entry.name, files: filesAt(join(folder, entry.name, FILE)) }))
    .filter(({ files }) => files.length > 0);
}

export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  return { sessionId, files: filesAt(join(dirname(path), FILE)) };
}

export function findProjectFolders(folder: string): string[] {
  const folders = findTranscripts(folder).flatMap(({ files }) =>
    files.map(({ path }) => readOpening(path).folder),
  );
  return [...new Set(folders.filter((found) => found !== undefined))];
}

/** Reads only the first bytes of the file. */
export function readOpening(path: string): TranscriptOpening {
  const head = readFirstBytes(path, HEAD_BYTES);
  const at = Date.parse(/"timestamp": ?"([^"]+)"/.exec(head)?.[1] ?? '');
  const folder = unquote(/"cwd": ?("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return { ...(!Number.isNaN(at) && { at }), ...(folder && { folder }) };
}

function filesAt(path: string): TranscriptFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? [{ path, size: stats.size, changedAt: stats.mtimeMs }] : [];
}

function unquote(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
