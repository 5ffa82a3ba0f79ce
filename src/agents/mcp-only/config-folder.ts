import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function homeFolder(name: string): (home: AgentHome) => string {
  return ({ userHome }) => join(userHome, name);
}
