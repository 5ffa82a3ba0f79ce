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
  // Added to the settings or by Cairn's plugin.
  ownServer: /^mcp__(cairn|plugin_cairn_[a-z0-9-]+)__/,
  findFiles,
  // The model may call it `Task`; the client corrects the name everywhere except in a batch.
  currentName: (tool) => (tool === 'Task' ? 'Agent' : tool),
};

/** Files listed by Grep and Glob were not read: there may be hundreds, among which the relevant ones would be lost. */
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
