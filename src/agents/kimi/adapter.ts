import type { Agent } from '../agent.ts';
import { readEvents } from '../dialect/events.ts';
import { readTodoTool } from '../todo-list.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { dialect } from './read-events.ts';
import { LONGEST_CONTEXT, printReply } from './replies.ts';
import { transcripts } from './transcripts.ts';

export const kimi: Agent = {
  id: 'kimi',
  name: 'Kimi Code',
  configFolder,
  hooks: hookRouting,
  context: { start: false, prompt: true, read: false, tool: false },
  longestContext: LONGEST_CONTEXT,
  hidesNotices: true,
  toEvents: (eventName, payload) => readEvents(dialect, eventName, payload),
  print: printReply,
  blockIsFeedback: () => false,
  instructionsFile: 'AGENTS.md',
  controlMarks,
  lastUsage: () => null,
  windowOf: () => null,
  ...readTodoTool({
    tool: 'TodoList',
    subject: 'title',
    states: new Map([
      ['pending', 'open'],
      ['in_progress', 'doing'],
      ['done', 'done'],
    ]),
  }),
  transcripts,
};
