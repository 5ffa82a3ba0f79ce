import type { Agent } from '../agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { knownFields } from './known-fields.ts';
import { toEvents } from './read-events.ts';
import { LONGEST_CONTEXT, printReply } from './replies.ts';
import { transcripts } from './transcripts.ts';

export const copilot: Agent = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  configFolder,
  hooks: hookRouting,
  knownFields,
  context: { start: true, prompt: true, read: false, tool: true },
  longestContext: LONGEST_CONTEXT,
  hidesNotices: true,
  toEvents,
  print: printReply,
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  controlMarks,
  lastUsage: () => null,
  windowOf: () => null,
  workTools: [],
  findWorkReports: () => [],
  transcripts,
};
