import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['Write', 'change'],
  ['Edit', 'change'],
  ['StrReplace', 'change'],
  ['ApplyPatch', 'change'],
  ['Delete', 'change'],
  ['EditNotebook', 'change'],
  ['Shell', 'command'],
  ['Read', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['SemanticSearch', 'search'],
  ['Task', 'delegate'],
  ['WebSearch', 'web'],
  ['WebFetch', 'web'],
  ['TodoWrite', 'meta'],
  ['ReadLints', 'meta'],
  ['AskQuestion', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  // MCP tools are named `MCP:<tool>`, usually without the server's name.
  ownServer: /^MCP:cairn\b/,
  changeFields: { path: 'file_path', target_file: 'file_path' },
  findFiles: findFilesByAction(actions, 'file_path', 'path', 'target_file'),
};
