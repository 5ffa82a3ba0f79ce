import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFilesBelow, listNames } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptFile } from '../agent.ts';
import { fileAt, groupBySession } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 64 * 1024;
const DAY_MS = 86_400_000;
/** A session may be resumed after months, and every file of these days is opened. */
const MOST_LATER_DAYS = 7;
/** `rollout-2026-11-15T18-17-53-<id>.jsonl`, in a folder per day. */
const ROLLOUT = /^rollout-.+?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}

/** Every session in the folder, with the files of its subagents. */
export function findTranscripts(folder: string): SessionTranscripts[] {
  const paths = existsSync(folder) ? listFilesBelow(folder).sort() : [];
  return groupBySession(paths.flatMap((path) => findRollout(path) ?? []));
}

/** Each subagent has its own file, in the folder of the day on which it was started. */
export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  const own = fileAt(path);
  const folders = [dirname(path), ...(own ? listLaterDays(dirname(path), own.changedAt) : [])];
  const ofSubagents = folders
    .flatMap((folder) => listNames(folder).map((name) => join(folder, name)))
    .filter((found) => basename(found) > basename(path))
    .flatMap((found) => findRollout(found) ?? [])
    .filter((found) => found.sessionId === sessionId && found.file.subagent !== undefined);
  return { sessionId, files: [...(own ? [own] : []), ...ofSubagents.map(({ file }) => file)] };
}

/** The folders `<year>/<month>/<day>` after this one, up to the day on which the session last wrote. */
function listLaterDays(folder: string, until: number): string[] {
  const month = dirname(folder);
  const year = dirname(month);
  const first = Date.parse([year, month, folder].map((part) => basename(part)).join('-'));
  if (Number.isNaN(first)) return [];
  // Folders are named by local time, which may be a day ahead.
  const last = Math.floor((until + DAY_MS - first) / DAY_MS);
  const days = Array.from({ length: Math.min(Math.max(0, last), MOST_LATER_DAYS) }, (_, back) => last - back);
  return days.reverse().map((day) => {
    const name = new Date(first + day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
    return join(dirname(year), ...name.split('-'));
  });
}

function findRollout(path: string): { sessionId: string; file: TranscriptFile } | undefined {
  const id = ROLLOUT.exec(basename(path))?.[1];
  const file = id === undefined ? undefined : fileAt(path);
  if (id === undefined || !file) return undefined;
  const head = readHead(path);
  if (!/"(?:thread_)?source"\s*:\s*(?:\{\s*)?"sub_?agent/i.test(head)) return { sessionId: id, file };
  // Older versions name only the thread that started it, which may be a subagent itself.
  const sessionId = valueIn(head, 'session_id') ?? valueIn(head, 'parent_thread_id');
  if (sessionId === undefined || sessionId === id) return undefined;
  // Hooks use the same default type.
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
