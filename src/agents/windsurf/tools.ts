import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

/** The client reports actions instead of tools. */
const actions = new Map<string, ToolAction>([
  ['read_code', 'read'],
  ['write_code', 'change'],
  ['run_command', 'command'],
]);

export const tools: ToolTable = {
  actions,
  ownServer: /^cairn:/,
  findFiles: findFilesByAction(actions, 'file_path'),
};
