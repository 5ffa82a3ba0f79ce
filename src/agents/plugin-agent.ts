import type { Agent } from './agent.ts';
import { raw } from './raw/adapter.ts';

/** What an agent has of its own whose events come from a plugin of ours. */
type PluginAgentParts = Pick<
  Agent,
  'id' | 'name' | 'configFolder' | 'hooks' | 'toEvents' | 'controlMarks' | 'transcripts'
> &
  Partial<Pick<Agent, 'context' | 'workTools' | 'findWorkReports'>>;

/** An agent that loads a plugin in JavaScript. The plugin is ours, so it reads the same replies as any program. */
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
