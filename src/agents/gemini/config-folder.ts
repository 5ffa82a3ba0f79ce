import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome, variable }: AgentHome): string {
  return join(variable('GEMINI_CLI_HOME') ?? userHome, '.gemini');
}
