import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

/** The client names actions, not tools. */
const actions = new Map<string, ToolAction>([
  ['read_code', 'read'],
  ['write_code', 'change'],
  ['run_command', 'command'],
]);

export const tools: ToolTable = {
  actions,
  ownServer: /^cairn:/,
  findFiles,
};

function findFiles(tool: string, input: Json): FileTouch[] {
  if (tool === 'write_code') return touch('write', field(input, 'file_path'));
  return tool === 'read_code' ? touch('read', field(input, 'file_path')) : [];
}
