import type { ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { findFilesByAction, renameFields, type ToolTable } from '../dialect/tools.ts';

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
  findFiles: findFilesByAction(actions, 'filePath'),
};

/** A change in the words of `AgentEvent`. */
export function convertInput(tool: Json | undefined, input: Json | undefined): Json {
  if (typeof tool !== 'string' || actions.get(tool) !== 'change' || !isObject(input)) return input ?? null;
  const { edits, ...rest } = renameFields(input, CHANGE_FIELDS);
  return { ...rest, ...(Array.isArray(edits) && { edits: edits.map((edit) => convertInput(tool, edit)) }) };
}

const CHANGE_FIELDS = { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' };
