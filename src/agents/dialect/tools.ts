import type { FileTouch, ToolAction, ToolCall } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { name, text, type WireToolCall } from './wire.ts';

/** What an agent's tools do, by their names. */
export interface ToolTable {
  actions: ReadonlyMap<string, ToolAction>;
  /** Matches the tools of Cairn's MCP server: reading memory is not work on the project. */
  ownServer: RegExp;
  /** Maps the agent's names for the fields of a change to those of `AgentEvent`. */
  changeFields?: Readonly<Record<string, string>>;
  /** Only files that the call opens, not those that a search listed. */
  findFiles(tool: string, input: Json, response: Json): FileTouch[];
  /** The name of a tool as the agent reports it elsewhere. */
  currentName?(tool: string): string;
}

export function readToolCall(tools: ToolTable, wire: WireToolCall): ToolCall {
  const reported = name(wire.tool_name) ?? 'unknown';
  const toolName = tools.currentName?.(reported) ?? reported;
  const does = tools.actions.get(toolName) ?? (tools.ownServer.test(toolName) ? 'meta' : 'other');
  const id = name(wire.tool_use_id) ?? name(wire.tool_call_id);
  const input = convertInput(tools, does, wire.tool_input ?? null);
  const command = does === 'command' ? text(field(input, 'command')) : undefined;
  return {
    ...(id !== undefined && { id }),
    name: toolName,
    does,
    input,
    ...(command !== undefined && { command }),
    files: tools.findFiles(toolName, input, wire.tool_response ?? null),
  };
}

/** A touch of the first candidate that is a path. */
export function touch(how: FileTouch['how'], ...candidates: (Json | undefined)[]): FileTouch[] {
  const path = candidates.map(text).find((candidate) => candidate !== undefined);
  return path === undefined ? [] : [{ path, how }];
}

export function field(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined;
}

/** A text, or the texts of a list of blocks. */
export function textOfBlocks(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : [])
    .flatMap((block) => text(field(block, 'text')) ?? [])
    .join('\n');
}

/** For agents whose changes have `file_path` and whose reads name the file in one of these fields. */
export function findFilesByAction(
  actions: ReadonlyMap<string, ToolAction>,
  ...readFields: string[]
): ToolTable['findFiles'] {
  return (tool, input) => {
    const does = actions.get(tool);
    if (does === 'change') return touch('write', field(input, 'file_path'));
    return does === 'read' ? touch('read', ...readFields.map((key) => field(input, key))) : [];
  };
}

/** Renames the fields of a change, also in each of several `edits`. */
function convertInput({ changeFields }: ToolTable, does: ToolAction, input: Json): Json {
  if (does !== 'change' || !changeFields || !isObject(input)) return input;
  return renameFields(input, changeFields);
}

function renameFields(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      key === 'edits' && Array.isArray(value)
        ? value.map((edit) => (isObject(edit) ? renameFields(edit, names) : edit))
        : value,
    ]),
  );
}
