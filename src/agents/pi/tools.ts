import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['write', 'change'],
  ['edit', 'change'],
  ['bash', 'command'],
  ['powershell', 'command'],
  ['read', 'read'],
  ['grep', 'search'],
  ['find', 'search'],
  ['ls', 'search'],
]);

export const tools: ToolTable = {
  actions,
  // The extension registers Cairn's tools under these names.
  ownServer: /^cairn_/,
  changeFields: { path: 'file_path', oldText: 'old_string', newText: 'new_string' },
  findFiles: findFilesByAction(actions, 'path'),
};
