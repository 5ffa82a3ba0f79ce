import { dirname, join } from 'node:path';
import { listEntries } from '../../platform/files.ts';
import type { AgentHome, SessionTranscripts } from '../agent.ts';
import { findSingleFile } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

/** Each session has a folder with its id as name. */
const FILE = 'events.jsonl';

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'session-state');
}

export function findTranscripts(folder: string): SessionTranscripts[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => findSingleFile(join(folder, entry.name, FILE), entry.name))
    .filter(({ files }) => files.length > 0);
}

export function findSessionTranscripts(path: string, sessionId: string): SessionTranscripts {
  return findSingleFile(join(dirname(path), FILE), sessionId);
}
