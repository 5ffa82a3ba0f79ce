import type { Agent } from '../agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { knownFields } from './known-fields.ts';
import { toEvents } from './read-events.ts';
import { LONGEST_CONTEXT, printReply } from './replies.ts';

export const cursor: Agent = {
  id: 'cursor',
  name: 'Cursor',
  configFolder,
  hooks: hookRouting,
  knownFields,
  // Several versions lost the start context; in some, context after a tool did not reach the model.
  context: { start: true, startMayBeLost: true, prompt: true, read: false, tool: true },
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
};
