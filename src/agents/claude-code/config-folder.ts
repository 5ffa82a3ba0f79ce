import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';

export function configFolder(home: AgentHome): string {
  return movedFolder(home) ?? join(home.userHome, '.claude');
}

/** The client's configuration other than its settings: trusted folders and MCP servers. */
export function clientConfigPath(home: AgentHome): string {
  return join(movedFolder(home) ?? home.userHome, '.claude.json');
}

function movedFolder({ variable }: AgentHome): string | undefined {
  return variable('CLAUDE_CONFIG_DIR');
}
