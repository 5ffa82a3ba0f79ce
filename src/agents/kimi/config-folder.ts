import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return variable('KIMI_CODE_HOME') ?? join(userHome, '.kimi-code');
}
