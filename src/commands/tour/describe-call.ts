import type { RecordedCall } from '../../capture/sample/recording.ts';
import { isObject, type Json } from '../../model/json.ts';

export function describeHookCall({ event, payload }: RecordedCall, project: string): string {
  switch (event) {
    case 'SessionStart':
      return text(payload.source);
    case 'SessionEnd':
      return text(payload.reason);
    case 'UserPromptSubmit':
      return `“${text(payload.prompt)}”`;
    case 'Stop':
      return `“${text(payload.last_assistant_message)}”`;
    case 'PostToolBatch':
      return Array.isArray(payload.tool_calls) ? payload.tool_calls.map(toolName).join(', ') : '';
    default:
      return `${text(payload.tool_name)} ${describeTarget(payload.tool_input, project)}`;
  }
}

function describeTarget(input: Json | undefined, project: string): string {
  if (!isObject(input)) return '';
  return text(input.file_path).replace(`${project}/`, '') || text(input.command);
}

function toolName(call: Json): string {
  return isObject(call) ? text(call.tool_name) : '';
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
