import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listFilesBelow } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile, TranscriptOpening } from '../agent.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;
/** `rollout-2026-11-15T18-17-53-<id>.jsonl`, in a folder per day. */
const ROLLOUT = /^rollout-.+?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}

/** Every session in that folder; those of subagents are part of another. */
export function findTranscripts(folder: string): SessionTranscripts[] {
  const found = new Map<string, TranscriptFile[]>();
  for (const path of existsSync(folder) ? listFilesBelow(folder) : []) {
    const sessionId = ROLLOUT.exec(basename(path))?.[1];
    const file = sessionId === undefined || isOfSubagent(path) ? undefined : fileAt(path);
    if (sessionId !== undefined && file) found.set(sessionId, [...(found.get(sessionId) ?? []), file]);
  }
  return [...found].map(([sessionId, files]) => ({ sessionId, files }));
}

export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  const file = fileAt(path);
  return { sessionId, files: file ? [file] : [] };
}

export function findProjectFolders(folder: string): string[] {
  const folders = findTranscripts(folder).flatMap(({ files }) =>
    files.flatMap(({ path }) => readOpening(path).folder ?? []),
  );
  return [...new Set(folders)];
}

/** The first line has both, before a long text. */
export function readOpening(path: string): TranscriptOpening {
  const head = readFirstBytes(path, HEAD_BYTES);
  const at = Date.parse(/"timestamp"\s*:\s*"([^"]+)"/.exec(head)?.[1] ?? '');
  const folder = readText(/"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return { ...(!Number.isNaN(at) && { at }), ...(folder && { folder }) };
}

function isOfSubagent(path: string): boolean {
  try {
    return /"(?:thread_)?source"\s*:\s*(?:\{\s*)?"sub_?agent/i.test(readFirstBytes(path, HEAD_BYTES));
  } catch {
    return false;
  }
}

function fileAt(path: string): TranscriptFile | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? { path, size: stats.size, changedAt: stats.mtimeMs } : undefined;
}

function readText(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
