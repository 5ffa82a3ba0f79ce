import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return variable('PI_CODING_AGENT_DIR') ?? join(userHome, '.pi', 'agent');
}
