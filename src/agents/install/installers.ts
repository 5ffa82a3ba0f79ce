import { agents } from '../all.ts';
import { mcpOnlyInstallers } from '../mcp-only/agent-installer.ts';
import type { AgentInstaller } from './agent-installer.ts';

/**
 * Every agent that `cairn install` connects, in the order of the list of agents, then those that use MCP only. An
 * agent without settings of its own calls `cairn hook` by itself.
 */
export const installers: AgentInstaller[] = [
  ...(await Promise.all(agents.filter(({ configFolder }) => configFolder).map(loadInstaller))),
  ...mcpOnlyInstallers,
];

/** From the agent's folder, so that the list of agents, which hooks load, does not have to name it. */
async function loadInstaller({ id }: { id: string }): Promise<AgentInstaller> {
  const { installer }: { installer: AgentInstaller } = await import(`../${id}/agent-installer.ts`);
  return installer;
}
