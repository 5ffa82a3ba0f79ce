import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  COMMON_EVENTS,
  type Dialect,
  type EventReader,
  readPrompt,
  readToolStart,
  toolEnd,
} from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { convertResponse, hasFailed } from '../gemini/tool-results.ts';
import { tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ...COMMON_EVENTS,
    ['UserPromptSubmit', readSubmittedPrompt],
    ['PreToolUse', (wire, origin, tools) => readToolStart(withModelsId(wire), origin, tools)],
    ['PostToolUse', readToolEnd],
    ['PostToolUseFailure', readToolEnd],
  ]),
};

/** The event is repeated after every round of calls, without `submitted_prompt`. */
function readSubmittedPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return wire.submitted_prompt === undefined ? [] : readPrompt(wire, origin);
}

function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const { tool_response: result, error } = wire;
  const outcome = error !== undefined || hasFailed(result) ? 'failure' : 'success';
  const response = convertResponse(result ?? error);
  return [toolEnd({ ...withModelsId(wire), tool_response: response }, origin, tools, { outcome, response })];
}

/** The transcript has the model's id of a call, not the id that the client generates for hooks. */
function withModelsId(wire: JsonObject): JsonObject {
  return { ...wire, tool_use_id: wire.tool_call_id ?? wire.tool_use_id ?? null };
}
