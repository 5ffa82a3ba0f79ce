import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import type { Agent } from '../agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { knownFields } from './known-fields.ts';
import { toEvents } from './read-events.ts';
import { transcripts } from './transcripts.ts';

/** Captured through hooks; memory is given through MCP and rules, because hooks cannot give the model context. */
export const windsurf: Agent = {
  id: 'windsurf',
  name: 'Windsurf',
  configFolder,
  hooks: hookRouting,
  knownFields,
  context: { start: false, prompt: false, read: false, tool: false },
  longestContext: 0,
  hidesNotices: true,
  toEvents,
  print: printNothing,
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  controlMarks,
  lastUsage: () => null,
  windowOf: () => null,
  workTools: [],
  findWorkReports: () => [],
  transcripts,
};

function printNothing(_eventName: string, reply: HookReply): PrintedReply {
  const parts = Object.entries(reply).filter(([, part]) => part !== undefined);
  const leftOut = parts.map(([name]) => `${name}: not supported by this agent`);
  return { stdout: '', stderr: '', exitCode: 0, leftOut };
}
