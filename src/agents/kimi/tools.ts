import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['Write', 'change'],
  ['Edit', 'change'],
  ['Bash', 'command'],
  ['Read', 'read'],
  ['ReadMediaFile', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['Agent', 'delegate'],
  ['AgentSwarm', 'delegate'],
  ['FetchURL', 'web'],
  ['WebSearch', 'web'],
  ['AskUserQuestion', 'meta'],
  ['EnterPlanMode', 'meta'],
  ['ExitPlanMode', 'meta'],
  ['Skill', 'meta'],
  ['TaskList', 'meta'],
  ['TaskOutput', 'meta'],
  ['TaskStop', 'meta'],
  ['TodoList', 'meta'],
  ['WaitFor', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  ownServer: /^mcp__cairn__/,
  changeFields: { path: 'file_path' },
  findFiles: findFilesByAction(actions, 'path'),
};
