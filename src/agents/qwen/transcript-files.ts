import { join } from 'node:path';
import type { AgentHome, SessionTranscripts } from '../agent.ts';
import { findInProjects } from '../transcript-files.ts';
import { configFolder } from './config-folder.ts';

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'projects');
}

export function findTranscripts(folder: string): SessionTranscripts[] {
  return findInProjects(folder, 'chats');
}
