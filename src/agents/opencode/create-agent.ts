import type { Agent } from '../agent.ts';
import { raw } from '../raw/adapter.ts';
import { controlMarks } from './control-marks.ts';
import { toEvents } from './read-events.ts';
import { findWorkReports, workTools } from './work-reports.ts';

/** An agent that loads OpenCode's plugins. The plugin is ours, so it reads the same replies as any program. */
export function createOpenCodeAgent(own: Pick<Agent, 'id' | 'name' | 'configFolder'>): Agent {
  return {
    ...own,
    hooks: {
      answered: ['session.created', 'experimental.session.compacting'],
      prompts: ['chat.message'],
      reads: [],
      ends: ['session.idle', 'session.deleted', 'dispose'],
      showsSystemMessage: false,
    },
    context: { start: true, prompt: true, read: false, tool: false },
    longestContext: raw.longestContext,
    hidesNotices: true,
    toEvents,
    print: raw.print,
    blockIsFeedback: () => false,
    instructionsFile: 'AGENTS.md',
    controlMarks,
    lastUsage: () => null,
    windowOf: () => null,
    workTools,
    findWorkReports,
  };
}
