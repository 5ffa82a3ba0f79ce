import type { Agent } from '../agent.ts';
import { readEvents } from '../dialect/events.ts';
import { printReply } from '../dialect/replies.ts';
import { WIRE_FIELDS } from '../dialect/wire.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { dialect } from './read-events.ts';
import { LONGEST_CONTEXT, replyTable } from './reply-rules.ts';
import { transcripts } from './transcripts.ts';
import { readLastUsage } from './usage.ts';
import { findWorkReports, workTools } from './work-reports.ts';

export const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  configFolder,
  hooks: hookRouting,
  knownFields: WIRE_FIELDS,
  context: { start: true, prompt: true, read: false, tool: true },
  longestContext: LONGEST_CONTEXT,
  toEvents: (eventName, payload) => readEvents(dialect, eventName, payload),
  print: (eventName, reply) => printReply(replyTable, eventName, reply),
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  structuredMcpClient: 'codex-mcp-client',
  controlMarks,
  lastUsage: readLastUsage,
  windowOf: () => null,
  workTools,
  findWorkReports,
  transcripts,
};
