import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, type Json } from '../../model/json.ts';
import { listEntries } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile, TranscriptOpening } from '../agent.ts';
import { name } from '../dialect/wire.ts';
import { sortOwnFirst } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 256 * 1024;

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'projects');
}

/** Every session that the client has kept, unordered. */
export function findTranscripts(projects: string): SessionTranscripts[] {
  const found = new Map<string, TranscriptFile[]>();
  for (const folder of foldersIn(projects)) {
    for (const entry of listEntries(folder)) {
      if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
      const path = join(folder, entry.name);
      // Older clients stored subagents next to their session.
      const isSubagent = entry.name.startsWith('agent-');
      const sessionId = isSubagent ? sessionIn(path) : basename(entry.name, '.jsonl');
      if (sessionId === undefined) continue;
      add(sessionId, isSubagent ? subagentFile(path) : fileAt(path));
    }
    for (const sessionId of foldersIn(folder).map((path) => basename(path)))
      for (const file of subagentFiles(folder, sessionId)) add(sessionId, file);
  }
  return [...found].map(([sessionId, files]) => ({ sessionId, files: sortOwnFirst(files) }));

  function add(sessionId: string, file: TranscriptFile | undefined): void {
    if (file) found.set(sessionId, [...(found.get(sessionId) ?? []), file]);
  }
}

/** All files of one session, by the transcript path that a hook reported. */
export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  const folders = foldersIn(dirname(dirname(path)));
  const own = folders.flatMap((folder) => fileAt(join(folder, `${sessionId}.jsonl`)) ?? []);
  const subagents = folders.flatMap((folder) => subagentFiles(folder, sessionId));
  return { sessionId, files: sortOwnFirst([...own, ...subagents]) };
}

/** Reads only the first bytes of the file. */
export function readOpening(path: string): TranscriptOpening {
  const head = readFirstBytes(path, HEAD_BYTES);
  const at = Date.parse(/"timestamp":"([^"]+)"/.exec(head)?.[1] ?? '');
  const folder = unquoted(/"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return { ...(!Number.isNaN(at) && { at }), ...(folder && { folder }) };
}

function subagentFiles(folder: string, sessionId: string): TranscriptFile[] {
  const subagents = join(folder, sessionId, 'subagents');
  return listEntries(subagents)
    .filter((entry) => entry.isFile() && /^agent-.+\.jsonl$/.test(entry.name))
    .flatMap((entry) => subagentFile(join(subagents, entry.name)) ?? []);
}

function subagentFile(path: string): TranscriptFile | undefined {
  const file = fileAt(path);
  if (!file) return undefined;
  const id = basename(path, '.jsonl').replace(/^agent-/, '');
  const about = readJson(path.replace(/\.jsonl$/, '.meta.json'));
  const type = (isObject(about) ? name(about.agentType) : undefined) ?? '';
  return { ...file, subagent: { id, type, isFinished: isObject(about) && about.finished === true } };
}

function fileAt(path: string): TranscriptFile | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? { path, size: stats.size, changedAt: stats.mtimeMs } : undefined;
}

function sessionIn(path: string): string | undefined {
  try {
    return /"sessionId":"([\w-]+)"/.exec(readFirstBytes(path, HEAD_BYTES))?.[1];
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

function readJson(path: string): Json {
  try {
    return JSON.parse(readRegularText(path, CONFIG_LIMIT) ?? '');
  } catch {
    return null;
  }
}

function unquoted(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
