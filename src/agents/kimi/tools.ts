import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

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

export const tools: ToolTable = { actions, ownServer: /^mcp__cairn__/, findFiles };

function findFiles(tool: string, input: Json): FileTouch[] {
  switch (actions.get(tool)) {
    case 'change':
      return touch('write', field(input, 'file_path'));
    case 'read':
      return touch('read', field(input, 'path'));
    default:
      return [];
  }
}

/** A change in the words of `AgentEvent`: this client says `path`. */
export function convertInput(tool: Json | undefined, input: Json | undefined): Json {
  if (typeof tool !== 'string' || actions.get(tool) !== 'change' || !isObject(input)) return input ?? null;
  const { path, ...rest } = input;
  return { ...(path !== undefined && { file_path: path }), ...rest };
}
