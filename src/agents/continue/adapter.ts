import { createPluginAgent } from '../plugin-agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { transcripts } from './transcripts.ts';

/** Continue runs no hooks: Cairn reads its sessions from files only. */
export const continueAgent = {
  ...createPluginAgent({
    id: 'continue',
    name: 'Continue',
    configFolder,
    hooks: { answered: [], prompts: [], reads: [], ends: [], showsSystemMessage: false },
    context: { start: false, prompt: false, read: false, tool: false },
    toEvents: () => [],
    controlMarks,
    transcripts,
  }),
  longestContext: 0,
};
