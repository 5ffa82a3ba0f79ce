import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  COMMON_EVENTS,
  type Dialect,
  type EventReader,
  readPrompt,
  readSubagentEnd,
  toolEnd,
} from '../dialect/events.ts';
import { field, type ToolTable, textOfBlocks } from '../dialect/tools.ts';
import { tools } from './tools.ts';

/**
 * The agent's words are only in the transcript. A subagent's events are reported as the session's own, including a
 * `Stop` at its end, after which the turn continues.
 */
export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ...COMMON_EVENTS,
    ['UserPromptSubmit', readPromptBlocks],
    ['PostToolUse', readSuccess],
    ['PostToolUseFailure', readFailure],
    [
      'SubagentStop',
      (wire, origin) => readSubagentEnd({ last_assistant_message: wire.response ?? null }, origin),
    ],
  ]),
};

function readPromptBlocks(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return readPrompt({ prompt: textOfBlocks(wire.prompt) }, origin);
}

function readSuccess(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  return [toolEnd(wire, origin, tools, { outcome: 'success', response: wire.tool_output })];
}

function readFailure(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const response = field(wire.error, 'message') ?? wire.error;
  return [toolEnd(wire, origin, tools, { outcome: 'failure', response })];
}
