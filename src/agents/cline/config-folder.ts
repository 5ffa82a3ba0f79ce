import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return variable('CLINE_DIR') ?? join(userHome, '.cline');
}

/** Contains the person's settings and the sessions. */
export function dataFolder(home: AgentHome): string {
  return home.variable('CLINE_DATA_DIR') ?? join(configFolder(home), 'data');
}
