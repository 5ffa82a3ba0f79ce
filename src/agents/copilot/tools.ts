import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

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
  // MCP tools are named `<server>-<tool>`.
  ownServer: /^cairn-/,
  changeFields: { path: 'file_path', file_text: 'content', old_str: 'old_string', new_str: 'new_string' },
  findFiles: findFilesByAction(actions, 'path'),
};
