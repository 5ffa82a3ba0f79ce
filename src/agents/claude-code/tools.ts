import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['Write', 'change'],
  ['Edit', 'change'],
  ['MultiEdit', 'change'],
  ['NotebookEdit', 'change'],
  ['Bash', 'command'],
  ['PowerShell', 'command'],
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['ReadMcpResourceTool', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['Agent', 'delegate'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
  ['ListMcpResourcesTool', 'meta'],
  ['SlashCommand', 'meta'],
  ['Skill', 'meta'],
  ['TodoWrite', 'meta'],
  ['AskUserQuestion', 'meta'],
  ['TaskCreate', 'meta'],
  ['TaskUpdate', 'meta'],
  ['TaskGet', 'meta'],
  ['TaskList', 'meta'],
  ['TaskOutput', 'meta'],
  ['TaskStop', 'meta'],
  ['ToolSearch', 'meta'],
  ['EnterPlanMode', 'meta'],
  ['ExitPlanMode', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  // Added by hand or by our plugin.
  ownServer: /^mcp__(cairn|plugin_cairn_[a-z0-9-]+)__/,
  findFiles,
  // The model may say `Task`; the client corrects it everywhere but in a batch.
  currentName: (tool) => (tool === 'Task' ? 'Agent' : tool),
};

/** What Grep and Glob list was found, not read: hundreds of files would drown the few which the work was about. */
function findFiles(tool: string, input: Json, response: Json): FileTouch[] {
  switch (tool) {
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
      return touch('write', field(input, 'file_path'), field(response, 'filePath'));
    case 'NotebookEdit':
      return touch('write', field(input, 'notebook_path'), field(response, 'notebook_path'));
    case 'Read':
      return touch('read', field(input, 'file_path'), field(field(response, 'file'), 'filePath'));
    case 'NotebookRead':
      return touch('read', field(input, 'notebook_path'));
    default:
      return [];
  }
}
