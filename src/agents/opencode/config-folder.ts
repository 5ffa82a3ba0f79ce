import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

/** Agents of this family keep their settings in an XDG folder, each under its own name. */
export function xdgFolder(name: string): (home: AgentHome) => string {
  return ({ userHome, variable }) => join(variable('XDG_CONFIG_HOME') ?? join(userHome, '.config'), name);
}
