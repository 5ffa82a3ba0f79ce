import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

/** The tools that Gemini CLI and its forks have in common. */
export const sharedActions: [string, ToolAction][] = [
  ['write_file', 'change'],
  ['run_shell_command', 'command'],
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['glob', 'search'],
  ['grep_search', 'search'],
  ['search_file_content', 'search'],
  ['list_directory', 'search'],
  ['web_fetch', 'web'],
  ['save_memory', 'meta'],
];

export const tools: ToolTable = {
  actions: new Map<string, ToolAction>([
    ...sharedActions,
    ['replace', 'change'],
    ['google_web_search', 'web'],
    ['invoke_agent', 'delegate'],
    // The name of a subagent in an older version.
    ['codebase_investigator', 'delegate'],
    ['write_todos', 'meta'],
    ['ask_user', 'meta'],
    ['activate_skill', 'meta'],
    ['enter_plan_mode', 'meta'],
    ['exit_plan_mode', 'meta'],
  ]),
  ownServer: /^mcp_cairn_/,
  findFiles,
};

export function findFiles(tool: string, input: Json, response: Json): FileTouch[] {
  const path = [field(input, 'file_path'), field(input, 'absolute_path'), field(response, 'filePath')];
  if (tool === 'read_file') return touch('read', ...path);
  return ['write_file', 'replace', 'edit'].includes(tool) ? touch('write', ...path) : [];
}
