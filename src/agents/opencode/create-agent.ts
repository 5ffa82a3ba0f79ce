import type { Agent } from '../agent.ts';
import { createPluginAgent } from '../plugin-agent.ts';
import { controlMarks } from './control-marks.ts';
import { toEvents } from './read-events.ts';
import { workReports } from './work-reports.ts';

/** An agent that loads OpenCode's plugins. */
export function createOpenCodeAgent(own: Pick<Agent, 'id' | 'name' | 'configFolder' | 'transcripts'>): Agent {
  return createPluginAgent({
    ...own,
    hooks: {
      answered: ['session.created', 'experimental.session.compacting'],
      prompts: ['chat.message'],
      reads: [],
      ends: ['session.idle', 'session.deleted', 'dispose'],
      showsSystemMessage: false,
    },
    toEvents,
    controlMarks,
    ...workReports,
  });
}
