import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
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
  toolEnd,
} from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { convertInput, hasFailed, tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['SessionStart', readSessionStart],
    ['UserPromptSubmit', readPrompt],
    ['PreToolUse', (wire, origin, tools) => readToolStart(convert(wire, origin), origin, tools)],
    ['PostToolUse', readToolEnd],
    ['SubagentStop', readSubagentEnd],
    ['PreCompact', readCompactStart],
    ['PostCompact', readCompactEnd],
    ['Stop', readTurnEnd],
    ['SessionEnd', readSessionEnd],
  ]),
};

/** Whether a shell command failed is only in the transcript, which counts for more. */
function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const { tool_response: response } = wire;
  const outcome = hasFailed(response) ? 'failure' : 'success';
  const event = toolEnd(convert(wire, origin), origin, tools, { outcome, response });
  return [wire.tool_name === 'Bash' ? { ...event, reportedBy: 'batch' } : event];
}

function convert(wire: JsonObject, { cwd }: EventOrigin): JsonObject {
  return { ...wire, tool_input: convertInput(wire.tool_name, wire.tool_input, cwd) };
}
