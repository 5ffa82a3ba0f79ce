import { createPluginAgent } from '../plugin-agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { toEvents } from './read-events.ts';
import { transcripts } from './transcripts.ts';

export const pi = createPluginAgent({
  id: 'pi',
  name: 'Pi',
  configFolder,
  hooks: {
    marker: 'PI_CODING_AGENT',
    session: 'PI_SESSION_ID',
    answered: ['session_start'],
    prompts: ['before_agent_start'],
    reads: [],
    ends: ['agent_end', 'session_shutdown'],
    showsSystemMessage: false,
  },
  toEvents,
  controlMarks,
  transcripts,
});
