import { basename, dirname, join } from 'node:path';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { listNames, readIfThere } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { AgentHome, SessionTranscripts, TranscriptOpening } from '../agent.ts';
import { name } from '../dialect/wire.ts';
import { fileAt, groupBySession, toOpening } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

const HEAD_BYTES = 16 * 1024;

/** `<project>/chats/session-<time>-<id>.jsonl` below it. */
export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'tmp');
}

export function findTranscripts(folder: string): SessionTranscripts[] {
  return groupBySession(
    listChats(folder).flatMap((path) => {
      const header = readHeader(path);
      const sessionId = isObject(header) && header.kind !== 'subagent' ? name(header.sessionId) : undefined;
      const file = fileAt(path);
      return sessionId !== undefined && file ? [{ sessionId, file }] : [];
    }),
  );
}

export function findProjectFolders(folder: string): string[] {
  return [...new Set(listNames(folder).flatMap((slug) => folderOf(join(folder, slug)) ?? []))];
}

export function readOpening(path: string): TranscriptOpening {
  const header = readHeader(path);
  const at = Date.parse((isObject(header) && name(header.startTime)) || '');
  return toOpening(at, folderOf(dirname(dirname(path))));
}

/** The client writes the folder of a project next to its chats. */
function folderOf(project: string): string | undefined {
  return readIfThere(join(project, '.project_root'))?.trim() || undefined;
}

function listChats(folder: string): string[] {
  return listNames(folder).flatMap((slug) => {
    const chats = join(folder, slug, 'chats');
    return listNames(chats)
      .filter((file) => /^session-.+\.jsonl$/.test(basename(file)))
      .map((file) => join(chats, file));
  });
}

function readHeader(path: string): Json | undefined {
  return parseJson(readFirstBytes(path, HEAD_BYTES).split('\n')[0] ?? '');
}
