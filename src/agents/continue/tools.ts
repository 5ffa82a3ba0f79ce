import type { ToolAction } from '../../model/agent-event.ts';
import { TOOL_NAMES } from '../../model/tool-names.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

/** The tools of the CLI, then those of the editor extensions. */
const actions = new Map<string, ToolAction>([
  ['Write', 'change'],
  ['Edit', 'change'],
  ['MultiEdit', 'change'],
  ['Bash', 'command'],
  ['Read', 'read'],
  ['List', 'search'],
  ['Search', 'search'],
  ['Fetch', 'web'],
  ['Checklist', 'meta'],
  ['Status', 'meta'],
  ['AskQuestion', 'meta'],
  ['create_new_file', 'change'],
  ['edit_existing_file', 'change'],
  ['single_find_and_replace', 'change'],
  ['multi_edit', 'change'],
  ['run_terminal_command', 'command'],
  ['read_file', 'read'],
  ['read_file_range', 'read'],
  ['ls', 'search'],
  ['grep_search', 'search'],
  ['file_glob_search', 'search'],
  ['search_web', 'web'],
  ['fetch_url_content', 'web'],
]);

export const tools: ToolTable = {
  actions,
  // MCP tools have no prefix.
  ownServer: new RegExp(`^(?:${TOOL_NAMES.join('|')})$`),
  changeFields: { filepath: 'file_path', contents: 'content' },
  findFiles: findFilesByAction(actions, 'filepath'),
};
