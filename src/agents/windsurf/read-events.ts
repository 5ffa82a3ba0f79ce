import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readEvents,
  readPrompt,
  readToolSuccess,
  readTurnEnd,
  toolEnd,
} from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['pre_user_prompt', (wire, origin) => readPrompt({ prompt: wire.user_prompt ?? null }, origin)],
    ['post_read_code', readFileAction('read_code')],
    ['post_write_code', readFileAction('write_code')],
    ['post_run_command', readCommand],
    ['post_mcp_tool_use', readServerTool],
    ['post_cascade_response', readResponse],
  ]),
};

/** The details of an event are in `tool_info`; a trajectory is a conversation, an execution is a turn. */
export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const info = isObject(payload.tool_info) ? payload.tool_info : {};
  return readEvents(dialect, eventName, {
    ...info,
    session_id: payload.trajectory_id ?? null,
    prompt_id: payload.execution_id ?? null,
    hook_event_name: payload.agent_action_name ?? eventName,
  });
}

function readFileAction(tool_name: string): EventReader {
  return ({ file_path = null, edits }, origin, tools) =>
    readToolSuccess(
      { tool_name, tool_input: { file_path, ...(edits !== undefined && { edits }) } },
      origin,
      tools,
    );
}

/** Has no output and exit code, so any other report of the command overrides it. */
function readCommand(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const call = { tool_name: 'run_command', tool_input: { command: wire.command_line ?? null } };
  const event = toolEnd(call, origin, tools, { outcome: 'success', response: null });
  return [{ ...event, reportedBy: 'batch' }];
}

function readServerTool(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const tool_name = `${text(wire.mcp_server_name) ?? 'unknown'}:${text(wire.mcp_tool_name) ?? 'unknown'}`;
  const tool_input = wire.mcp_tool_arguments ?? null;
  return readToolSuccess({ tool_name, tool_input, tool_response: wire.mcp_result ?? null }, origin, tools);
}

/** All words of the agent since the prompt, in Markdown with a heading before each message. */
function readResponse(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const words = text(wire.response)
    ?.replaceAll(/^### Planner Response\s*\n/gm, '')
    .trim();
  return readTurnEnd({ last_assistant_message: words ?? null }, origin);
}
