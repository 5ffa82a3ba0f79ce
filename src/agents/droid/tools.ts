import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['Create', 'change'],
  ['Edit', 'change'],
  ['MultiEdit', 'change'],
  ['ApplyPatch', 'change'],
  ['Execute', 'command'],
  ['Read', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['Task', 'delegate'],
  ['FetchUrl', 'web'],
  ['WebSearch', 'web'],
  ['TodoWrite', 'meta'],
  ['AskUser', 'meta'],
  ['ToolSearch', 'meta'],
  ['Skill', 'meta'],
  ['ExitSpecMode', 'meta'],
]);

export const tools: ToolTable = { actions, ownServer: /^cairn___/, findFiles };

function findFiles(tool: string, input: Json): FileTouch[] {
  if (tool === 'Read') return touch('read', field(input, 'file_path'));
  return ['Create', 'Edit', 'MultiEdit'].includes(tool) ? touch('write', field(input, 'file_path')) : [];
}
