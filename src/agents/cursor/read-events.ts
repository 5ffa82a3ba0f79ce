import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readCompactStart,
  readEvents,
  readPrompt,
  readSessionEnd,
  readSessionStart,
  readTurnEnd,
  toolEnd,
} from '../dialect/events.ts';
import { field, type ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['sessionStart', readStart],
    ['beforeSubmitPrompt', readPrompt],
    ['postToolUse', readToolEnd],
    ['postToolUseFailure', readFailure],
    ['preCompact', readCompactStart],
    ['afterAgentResponse', readResponse],
    ['stop', readStop],
    ['sessionEnd', readSessionEnd],
  ]),
};

export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const { conversation_id, session_id, generation_id, workspace_roots, cwd, duration, ...rest } = payload;
  // The person's hooks run in the client's own folder, so only the payload has the agent's working folder.
  const [root] = Array.isArray(workspace_roots) ? workspace_roots : [];
  return readEvents(dialect, eventName, {
    ...rest,
    session_id: conversation_id ?? session_id ?? null,
    prompt_id: generation_id ?? null,
    cwd: text(cwd) ?? root ?? null,
    duration_ms: duration ?? null,
    hook_event_name: eventName,
  });
}

function readStart(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const { promptId: _, ...scene } = origin;
  return readSessionStart({ ...wire, source: 'startup' }, scene);
}

/** The output is a JSON text; for shell commands it has the exit code. */
function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const printed = text(wire.tool_output);
  const output = (printed === undefined ? wire.tool_output : parseJson(printed)) ?? printed ?? null;
  const code = field(output, 'exitCode');
  const outcome = typeof code === 'number' && code !== 0 ? 'failure' : 'success';
  return [toolEnd(wire, origin, tools, { outcome, response: output })];
}

function readFailure(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const outcome = wire.failure_type === 'permission_denied' ? 'refused' : 'failure';
  return [toolEnd(wire, origin, tools, { outcome, response: wire.error_message })];
}

/** Reads a message of the agent: the last one before a stop is its answer. */
function readResponse(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const words = text(wire.text);
  return words === undefined ? [] : readTurnEnd({ last_assistant_message: words }, origin);
}

function readStop(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const status = text(wire.status);
  const error = status === 'aborted' ? 'interrupted' : status === 'error' ? 'error' : undefined;
  return readTurnEnd({}, origin).map((event) => ({ ...event, ...(error && { error }) }));
}
