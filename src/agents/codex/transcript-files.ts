import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFilesBelow, listNames } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile } from '../agent.ts';
import { fileAt, groupBySession } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;
/** `rollout-2026-11-15T18-17-53-<id>.jsonl`, in a folder per day. */
const ROLLOUT = /^rollout-.+?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}

/** Every session in that folder, with the files of its subagents. */
export function findTranscripts(folder: string): SessionTranscripts[] {
  const paths = existsSync(folder) ? listFilesBelow(folder).sort() : [];
  return groupBySession(paths.flatMap((path) => findRollout(path) ?? []));
}

/** A subagent has a file of its own, in the folder of the day on which it was started. */
export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  const folder = dirname(path);
  const later = listNames(folder).filter((name) => name > basename(path));
  const ofSubagents = later
    .sort()
    .flatMap((name) => findRollout(join(folder, name)) ?? [])
    .filter((found) => found.sessionId === sessionId && found.file.subagent !== undefined);
  const own = fileAt(path);
  return { sessionId, files: [...(own ? [own] : []), ...ofSubagents.map(({ file }) => file)] };
}

function findRollout(path: string): { sessionId: string; file: TranscriptFile } | undefined {
  const id = ROLLOUT.exec(basename(path))?.[1];
  const file = id === undefined ? undefined : fileAt(path);
  if (id === undefined || !file) return undefined;
  const head = readHead(path);
  if (!/"(?:thread_)?source"\s*:\s*(?:\{\s*)?"sub_?agent/i.test(head)) return { sessionId: id, file };
  // Older versions name only the one that asked it, which may be a subagent itself.
  const sessionId = valueIn(head, 'session_id') ?? valueIn(head, 'parent_thread_id');
  if (sessionId === undefined || sessionId === id) return undefined;
  // A hook names the type so.
  const type = valueIn(head, 'agent_role') ?? 'default';
  return { sessionId, file: { ...file, subagent: { id, type, isFinished: false } } };
}

function readHead(path: string): string {
  try {
    return readFirstBytes(path, HEAD_BYTES);
  } catch {
    return '';
  }
}

function valueIn(head: string, key: string): string | undefined {
  return new RegExp(`"${key}"\\s*:\\s*"([\\w-]+)"`).exec(head)?.[1];
}
