import { createPluginAgent } from '../plugin-agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { toEvents } from './read-events.ts';
import { transcripts } from './transcripts.ts';

export const cline = createPluginAgent({
  id: 'cline',
  name: 'Cline',
  configFolder,
  hooks: {
    answered: ['setup'],
    prompts: ['beforeRun'],
    reads: [],
    ends: ['afterRun'],
    showsSystemMessage: false,
  },
  toEvents,
  controlMarks,
  transcripts,
});
