import type { FileTouch, ToolAction, ToolCall } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { name, text, type WireToolCall } from './wire.ts';

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

/** Our own MCP server, added by hand or by our plugin: reading memory is not work on the project. */
const ownServer = /^mcp__(cairn|plugin_cairn_[a-z0-9-]+)__/;

export function readToolCall(wire: WireToolCall): ToolCall {
  const toolName = currentName(name(wire.tool_name) ?? 'unknown');
  const does = findAction(toolName);
  const id = name(wire.tool_use_id);
  const input = wire.tool_input ?? null;
  const command = does === 'command' ? text(field(input, 'command')) : undefined;
  return {
    ...(id !== undefined && { id }),
    name: toolName,
    does,
    input,
    ...(command !== undefined && { command }),
    files: filesTouched(toolName, input, wire.tool_response ?? null),
  };
}

/** The model may say `Task`; the client corrects it to `Agent` everywhere but in a batch. */
function currentName(toolName: string): string {
  return toolName === 'Task' ? 'Agent' : toolName;
}

function findAction(toolName: string): ToolAction {
  return actions.get(toolName) ?? (ownServer.test(toolName) ? 'meta' : 'other');
}

/**
 * Only files that were named to be opened. What Grep and Glob list was found, not read: a listing of
 * hundreds of files would drown the few which the work was about.
 */
function filesTouched(toolName: string, input: Json, response: Json): FileTouch[] {
  switch (toolName) {
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

function touch(how: FileTouch['how'], ...candidates: (Json | undefined)[]): FileTouch[] {
  const path = candidates.map(text).find((candidate) => candidate !== undefined);
  return path === undefined ? [] : [{ path, how }];
}

export function field(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined;
}
