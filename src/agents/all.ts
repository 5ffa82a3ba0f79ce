import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { raw } from './raw/adapter.ts';

/** Every agent that Cairn knows: a new one is a folder and a line here. */
export const agents: Agent[] = [claudeCode, raw];

export function agentById(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}
