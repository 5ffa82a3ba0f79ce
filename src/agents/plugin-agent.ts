import type { Agent } from './agent.ts';
import { raw } from './raw/adapter.ts';

/** The parts that differ between agents whose events come from Cairn's plugin. */
type PluginAgentParts = Pick<
  Agent,
  'id' | 'name' | 'configFolder' | 'hooks' | 'toEvents' | 'controlMarks' | 'transcripts'
> &
  Partial<Pick<Agent, 'context' | 'workTools' | 'findWorkReports'>>;

/** An agent that loads Cairn's JavaScript plugin, which reads the same replies as the raw agent. */
export function createPluginAgent(own: PluginAgentParts): Agent {
  return {
    context: { start: true, prompt: true, read: false, tool: false },
    longestContext: raw.longestContext,
    hidesNotices: true,
    print: raw.print,
    blockIsFeedback: () => false,
    instructionsFile: 'AGENTS.md',
    lastUsage: () => null,
    windowOf: () => null,
    workTools: [],
    findWorkReports: () => [],
    ...own,
  };
}
