import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

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
  // A tool of a server is `<server>_<tool>`.
  ownServer: /^cairn_/,
  findFiles,
};

function findFiles(tool: string, input: Json): FileTouch[] {
  switch (actions.get(tool)) {
    case 'change':
      return touch('write', field(input, 'file_path'));
    case 'read':
      return touch('read', field(input, 'filePath'));
    default:
      return [];
  }
}

/** A change in the words of `AgentEvent`: this client says `filePath`, `oldString` and `newString`. */
export function convertInput(tool: Json | undefined, input: Json | undefined): Json {
  if (typeof tool !== 'string' || actions.get(tool) !== 'change' || !isObject(input)) return input ?? null;
  const { filePath, oldString, newString, edits, ...rest } = input;
  return {
    ...(filePath !== undefined && { file_path: filePath }),
    ...rest,
    ...(oldString !== undefined && { old_string: oldString }),
    ...(newString !== undefined && { new_string: newString }),
    ...(Array.isArray(edits) && { edits: edits.map((edit) => convertInput(tool, edit)) }),
  };
}
