import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

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
  // A tool of a server is `MCP:<tool>`, usually without the server's name.
  ownServer: /^MCP:cairn\b/,
  findFiles,
};

function findFiles(tool: string, input: Json): FileTouch[] {
  const paths = ['file_path', 'path', 'target_file'].map((key) => field(input, key));
  switch (actions.get(tool)) {
    case 'change':
      return touch('write', ...paths);
    case 'read':
      return touch('read', ...paths);
    default:
      return [];
  }
}
