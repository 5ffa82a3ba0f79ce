import type { Agent, TranscriptAgent } from './agent.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { raw } from './raw/adapter.ts';

/** Every agent that Cairn knows: a new one is a folder and a line here. */
export const agents: Agent[] = [claudeCode, raw];

export function agentById(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}

export function transcriptAgents(): TranscriptAgent[] {
  return agents.filter((agent): agent is TranscriptAgent => agent.transcripts !== undefined);
}

/** The agent that is meant where none is named. */
export { claudeCode as defaultAgent };
