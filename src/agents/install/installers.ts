import { agents } from '../all.ts';
import { mcpOnlyInstallers } from '../mcp-only/agent-installer.ts';
import type { AgentInstaller } from './agent-installer.ts';

/**
 * Every agent that `cairn install` connects, in the order of the list of agents, then those that only use MCP. An
 * agent without its own settings calls `cairn hook` by itself.
 */
export const installers: AgentInstaller[] = [
  ...(await Promise.all(agents.filter(({ configFolder }) => configFolder).map(loadInstaller))),
  ...mcpOnlyInstallers,
];

/** Imported by the agent's id, because the list of agents, which hooks load, must not import installers. */
async function loadInstaller({ id }: { id: string }): Promise<AgentInstaller> {
  const { installer }: { installer: AgentInstaller } = await import(`../${id}/agent-installer.ts`);
  return installer;
}
