import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readCompactEnd,
  readCompactStart,
  readPrompt,
  readSessionEnd,
  readSessionStart,
  readSubagentEnd,
  readToolStart,
  readTurnEnd,
  readTurnFailure,
  toolEnd,
} from '../dialect/events.ts';
import { field, type ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { convertInput, tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['SessionStart', readSessionStart],
    ['UserPromptSubmit', readPromptParts],
    ['PreToolUse', (wire, origin, tools) => readToolStart(withOwnInput(wire), origin, tools)],
    ['PostToolUse', readSuccess],
    ['PostToolUseFailure', readFailure],
    ['SubagentStop', readSubagentEnd],
    ['PreCompact', readCompactStart],
    ['PostCompact', readCompactEnd],
    // Its words are in the transcript only.
    ['Stop', readTurnEnd],
    ['StopFailure', readTurnFailure],
    ['SessionEnd', readSessionEnd],
  ]),
};

function readPromptParts(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return readPrompt({ prompt: textOfParts(wire.prompt) }, origin);
}

function readSuccess(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  return [toolEnd(withOwnInput(wire), origin, tools, { outcome: 'success', response: wire.tool_output })];
}

function readFailure(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const response = field(wire.error, 'message') ?? wire.error;
  return [toolEnd(withOwnInput(wire), origin, tools, { outcome: 'failure', response })];
}

function withOwnInput(wire: JsonObject): JsonObject {
  return { ...wire, tool_input: convertInput(wire.tool_name, wire.tool_input) };
}

/** `[{ "type": "text", "text": "…" }]`, without pictures. */
export function textOfParts(parts: Json | undefined): string {
  if (typeof parts === 'string') return parts;
  return (Array.isArray(parts) ? parts : []).flatMap((part) => text(field(part, 'text')) ?? []).join('\n');
}
