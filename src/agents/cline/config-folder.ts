import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return variable('CLINE_DIR') ?? join(userHome, '.cline');
}

/** Settings of the person and sessions. */
export function dataFolder(home: AgentHome): string {
  return home.variable('CLINE_DATA_DIR') ?? join(configFolder(home), 'data');
}
