import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import { field, type ToolTable, touch } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { readPatch } from './patch.ts';

const actions = new Map<string, ToolAction>([
  ['Bash', 'command'],
  ['apply_patch', 'change'],
  ['view_image', 'read'],
  ['spawn_agent', 'delegate'],
  ['web_search', 'web'],
  ['update_plan', 'meta'],
  ['write_stdin', 'meta'],
  ['request_user_input', 'meta'],
  ['wait_agent', 'meta'],
  ['close_agent', 'meta'],
]);

export const tools: ToolTable = { actions, ownServer: /^mcp__cairn__/, findFiles };

/** The files of a converted patch. */
function findFiles(tool: string, input: Json): FileTouch[] {
  if (tool === 'view_image') return touch('read', field(input, 'path'));
  const edits = tool === 'apply_patch' ? field(input, 'edits') : undefined;
  const paths = Array.isArray(edits) ? edits.flatMap((edit) => text(field(edit, 'file_path')) ?? []) : [];
  return [...new Set(paths)].map((path) => ({ path, how: 'write' }));
}

/** Converts a patch to edits; any other input is unchanged. */
export function convertInput(tool: Json | undefined, input: Json | undefined, cwd: string | undefined): Json {
  const patch = tool === 'apply_patch' ? (text(field(input, 'command')) ?? text(input)) : undefined;
  if (patch === undefined) return input ?? null;
  return { ...(isObject(input) && input), edits: readPatch(patch, cwd) };
}

/** Some results begin with the exit code; those of shell commands do not contain it. */
export function hasFailed(response: Json | undefined): boolean {
  if (isObject(response)) return response.isError === true || response.is_error === true;
  const code = /^(?:Exit code|Process exited with code):? (\d+)/m.exec(text(response)?.slice(0, 300) ?? '');
  return code !== null && code[1] !== '0';
}
