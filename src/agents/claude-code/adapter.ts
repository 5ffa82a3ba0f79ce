import type { Agent } from '../agent.ts';
import { readEvents } from '../dialect/events.ts';
import { printReply } from '../dialect/replies.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { knownFields } from './known-fields.ts';
import { dialect } from './read-events.ts';
import { LONGEST_CONTEXT, replyTable } from './reply-rules.ts';
import { memoryFiles, transcripts } from './transcripts.ts';
import { readLastUsage } from './usage.ts';
import { windowSizeOf } from './window.ts';
import { findWorkReports, workTools } from './work-reports.ts';

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  configFolder,
  hooks: hookRouting,
  knownFields,
  context: { start: true, prompt: true, read: true, tool: true },
  longestContext: LONGEST_CONTEXT,
  toEvents: (eventName, payload) => readEvents(dialect, eventName, payload),
  print: (eventName, reply) => printReply(replyTable, eventName, reply),
  blockIsFeedback: (eventName) => eventName === 'PostToolUse' || eventName === 'PostToolUseFailure',
  instructionsFile: 'CLAUDE.md',
  structuredMcpClient: 'claude-code',
  controlMarks,
  lastUsage: readLastUsage,
  windowOf: windowSizeOf,
  workTools,
  findWorkReports,
  transcripts,
  memoryFiles,
};
