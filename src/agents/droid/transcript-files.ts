import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listNames } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile, TranscriptOpening } from '../agent.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;

/** `<project>/<session>.jsonl` below it. */
export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}

export function findTranscripts(folder: string): SessionTranscripts[] {
  return listNames(folder).flatMap((slug) => {
    const project = join(folder, slug);
    return listNames(project)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => findSessionTranscripts(join(project, name), basename(name, '.jsonl')));
  });
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

export function readOpening(path: string): TranscriptOpening {
  const head = readFirstBytes(path, HEAD_BYTES);
  const at = Date.parse(/"timestamp":"([^"]+)"/.exec(head)?.[1] ?? '');
  const folder = readText(/"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return { ...(!Number.isNaN(at) && { at }), ...(folder && { folder }) };
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
