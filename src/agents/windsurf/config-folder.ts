import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder({ userHome }: AgentHome): string {
  return join(userHome, '.codeium', 'windsurf');
}
