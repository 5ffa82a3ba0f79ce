import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return variable('CONTINUE_GLOBAL_DIR') ?? join(userHome, '.continue');
}
