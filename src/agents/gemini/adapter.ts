import type { Agent } from '../agent.ts';
import { readEvents } from '../dialect/events.ts';
import { printReply } from '../dialect/replies.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { dialect } from './read-events.ts';
import { LONGEST_CONTEXT, replyTable } from './reply-rules.ts';
import { transcripts } from './transcripts.ts';

export const gemini: Agent = {
  id: 'gemini',
  name: 'Gemini CLI',
  configFolder,
  hooks: hookRouting,
  context: { start: true, prompt: true, read: false, tool: true },
  longestContext: LONGEST_CONTEXT,
  toEvents: (eventName, payload) => readEvents(dialect, eventName, payload),
  print: (eventName, reply) => printReply(replyTable, eventName, reply),
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  controlMarks,
  lastUsage: () => null,
  windowOf: () => null,
  workTools: [],
  findWorkReports: () => [],
  transcripts,
};
