import type { Agent, TranscriptAgent } from './agent.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { raw } from './raw/adapter.ts';

/** Every supported agent: a new one is a folder and a line here. */
export const agents: Agent[] = [claudeCode, raw];

export function agentById(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}

export function transcriptAgents(): TranscriptAgent[] {
  return agents.filter((agent): agent is TranscriptAgent => agent.transcripts !== undefined);
}

/** The default agent. */
export { claudeCode as defaultAgent };
