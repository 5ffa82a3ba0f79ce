import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['write', 'change'],
  ['edit', 'change'],
  ['multiedit', 'change'],
  ['patch', 'change'],
  ['apply_patch', 'change'],
  ['bash', 'command'],
  ['read', 'read'],
  ['grep', 'search'],
  ['glob', 'search'],
  ['list', 'search'],
  ['codesearch', 'search'],
  ['task', 'delegate'],
  ['webfetch', 'web'],
  ['websearch', 'web'],
  ['todowrite', 'meta'],
  ['todoread', 'meta'],
  ['question', 'meta'],
  ['skill', 'meta'],
  ['plan_enter', 'meta'],
  ['plan_exit', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  // MCP tools are named `<server>_<tool>`.
  ownServer: /^cairn_/,
  changeFields: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
  findFiles: findFilesByAction(actions, 'filePath'),
};
