import type { ToolAction, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { field, findFilesByAction, type ToolTable, textOfBlocks, touch } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';

const actions = new Map<string, ToolAction>([
  ['editor', 'change'],
  ['run_commands', 'command'],
  ['read_files', 'read'],
  ['search_codebase', 'search'],
  ['fetch_web_content', 'web'],
  ['spawn_agent', 'delegate'],
  ['team_run_task', 'delegate'],
  ['ask_question', 'meta'],
  ['team_task', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  // MCP tools are named `<server>__<tool>`.
  ownServer: /^cairn__/,
  findFiles: (tool, input) =>
    tool === 'read_files'
      ? items(field(input, 'files')).flatMap((file) => touch('read', field(file, 'path')))
      : findFilesByAction(actions)(tool, input, null),
};

export interface CallPart {
  id: string;
  input: Json;
}

export interface ResultPart {
  id: string;
  outcome: ToolOutcome;
  response: Json;
}

/**
 * A call with the field names of `AgentEvent`: this client uses `path`, `old_text` and `new_text`, and one call may run
 * several commands, each of which becomes a call.
 */
export function splitCall(tool: string, id: string, input: Json): CallPart[] {
  if (tool === 'run_commands')
    return items(field(input, 'commands')).map((command, index) => ({
      id: numberedId(id, index),
      input: { command },
    }));
  return [{ id, input: tool === 'editor' ? convertEdit(input) : input }];
}

/** The results of the parts of such a call, with their ids. */
export function splitResult(tool: string, id: string, output: Json, isError: boolean): ResultPart[] {
  const results = parseIfText(output);
  if (tool === 'run_commands' && Array.isArray(results) && !isError)
    return results.map((result, index) => ({ id: numberedId(id, index), ...readResult([result]) }));
  const whole = readResult(Array.isArray(results) ? results : [results]);
  return [{ id, ...whole, ...(isError && { outcome: 'failure' }) }];
}

function numberedId(id: string, index: number): string {
  return index === 0 ? id : `${id}#${index + 1}`;
}

function convertEdit(input: Json): Json {
  if (!isObject(input)) return input;
  const { path, old_text, new_text, ...rest } = input;
  const isWhole = typeof old_text !== 'string' && typeof rest.insert_line !== 'number';
  return {
    ...(path !== undefined && { file_path: path }),
    ...rest,
    ...(typeof old_text === 'string' && { old_string: old_text }),
    ...(new_text !== undefined && (isWhole ? { content: new_text } : { new_string: new_text })),
  };
}

/** Each result is `{ query, result, error?, success }`, or from an MCP server: `{ content, isError? }`. */
function readResult(results: Json[]): Omit<ResultPart, 'id'> {
  const failed = results.filter(
    (result) => field(result, 'success') === false || field(result, 'isError') === true,
  );
  const outcome = failed.length > 0 && failed.length === results.length ? 'failure' : 'success';
  return { outcome, response: results.map(textOf).join('\n') };
}

function textOf(result: Json): string {
  if (!isObject(result)) return typeof result === 'string' ? result : JSON.stringify(result);
  return (
    textOfBlocks(items(result.content)) ||
    (text(result.result) ?? text(result.error) ?? JSON.stringify(result))
  );
}

/** A transcript has some results as JSON text. */
function parseIfText(output: Json): Json {
  if (typeof output !== 'string' || !/^\s*[[{]/.test(output)) return output;
  const parsed = parseJson(output);
  return parsed === undefined ? output : parsed;
}

function items(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
