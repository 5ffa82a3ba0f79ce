import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';
import { configFolder } from './config-folder.ts';

export function transcriptsFolder(home: AgentHome): string {
  return join(configFolder(home), 'sessions');
}
