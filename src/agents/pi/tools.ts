import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

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
  findFiles,
};

function findFiles(tool: string, input: Json): FileTouch[] {
  switch (actions.get(tool)) {
    case 'change':
      return touch('write', field(input, 'file_path'));
    case 'read':
      return touch('read', field(input, 'path'));
    default:
      return [];
  }
}

/** A change in the words of `AgentEvent`: this client says `path`, `oldText` and `newText`. */
export function convertInput(tool: Json | undefined, input: Json | undefined): Json {
  if (typeof tool !== 'string' || actions.get(tool) !== 'change' || !isObject(input)) return input ?? null;
  const { path, oldText, newText, edits, ...rest } = input;
  return {
    ...(path !== undefined && { file_path: path }),
    ...rest,
    ...(oldText !== undefined && { old_string: oldText }),
    ...(newText !== undefined && { new_string: newText }),
    ...(Array.isArray(edits) && { edits: edits.map((edit) => convertInput(tool, edit)) }),
  };
}

/** The text of what a tool or the model returned, without pictures. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}
