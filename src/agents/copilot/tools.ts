import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['create', 'change'],
  ['edit', 'change'],
  ['apply_patch', 'change'],
  ['bash', 'command'],
  ['powershell', 'command'],
  ['view', 'read'],
  ['grep', 'search'],
  ['rg', 'search'],
  ['glob', 'search'],
  ['task', 'delegate'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
  ['read_bash', 'meta'],
  ['write_bash', 'meta'],
  ['stop_bash', 'meta'],
  ['list_bash', 'meta'],
  ['read_agent', 'meta'],
  ['write_agent', 'meta'],
  ['list_agents', 'meta'],
  ['report_intent', 'meta'],
  ['update_todo', 'meta'],
  ['sql', 'meta'],
  ['session_store_sql', 'meta'],
  ['fetch_copilot_cli_documentation', 'meta'],
  ['ask_user', 'meta'],
  ['skill', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  // The client writes `server-tool`.
  ownServer: /^cairn-/,
  findFiles,
};

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

/** A change in the words of `AgentEvent`: this client says `path`, `file_text`, `old_str` and `new_str`. */
export function convertInput(tool: Json | undefined, input: Json | undefined): Json {
  if (typeof tool !== 'string' || actions.get(tool) !== 'change' || !isObject(input)) return input ?? null;
  const { path, file_text, old_str, new_str, ...rest } = input;
  return {
    ...rest,
    ...(path !== undefined && { file_path: path }),
    ...(file_text !== undefined && { content: file_text }),
    ...(old_str !== undefined && { old_string: old_str }),
    ...(new_str !== undefined && { new_string: new_str }),
  };
}
