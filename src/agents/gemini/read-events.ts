import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readPrompt,
  readSessionEnd,
  readSessionStart,
  readToolStart,
  readTurnEnd,
  toolEnd,
} from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { convertResponse, hasFailed } from './tool-results.ts';
import { tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['SessionStart', readSessionStart],
    ['BeforeAgent', readOwnPrompt],
    ['BeforeTool', readToolStart],
    ['AfterTool', readToolEnd],
    [
      'AfterAgent',
      (wire, origin) =>
        readTurnEnd({ ...wire, last_assistant_message: wire.prompt_response ?? null }, origin),
    ],
    ['SessionEnd', readSessionEnd],
  ]),
};

function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return readPrompt({ prompt: withoutHookContext(text(wire.prompt) ?? '') }, origin);
}

/** In headless mode, context from hooks at session start is part of the first prompt. */
export function withoutHookContext(prompt: string): string {
  return prompt.replace(/<hook_context>[\s\S]*?<\/hook_context>\s*/g, '').trim();
}

function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const outcome = hasFailed(wire.tool_response) ? 'failure' : 'success';
  const response = convertResponse(wire.tool_response);
  return [toolEnd({ ...wire, tool_response: response }, origin, tools, { outcome, response })];
}
