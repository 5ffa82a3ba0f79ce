import type { ToolAction } from '../../model/agent-event.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { findFiles, sharedActions } from '../gemini/tools.ts';

/** Qwen Code began as a fork of Gemini CLI and has most of its tools. */
export const tools: ToolTable = {
  actions: new Map<string, ToolAction>([
    ...sharedActions,
    ['edit', 'change'],
    ['web_search', 'web'],
    ['task', 'delegate'],
    ['agent', 'delegate'],
    ['todo_write', 'meta'],
    ['skill', 'meta'],
    ['ask_user_question', 'meta'],
    ['exit_plan_mode', 'meta'],
  ]),
  ownServer: /^mcp__cairn__/,
  findFiles,
};
