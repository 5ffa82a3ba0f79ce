import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { JsonObject } from '../../model/json.ts';
import { COMMON_EVENTS, type Dialect, type EventReader, readToolStart, toolEnd } from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { convertInput, hasFailed, tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ...COMMON_EVENTS,
    ['PreToolUse', (wire, origin, tools) => readToolStart(convert(wire, origin), origin, tools)],
    ['PostToolUse', readToolEnd],
  ]),
};

/** Whether a shell command failed is only in the transcript, so that report overrides this one. */
function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const { tool_response: response } = wire;
  const outcome = hasFailed(response) ? 'failure' : 'success';
  const event = toolEnd(convert(wire, origin), origin, tools, { outcome, response });
  return [wire.tool_name === 'Bash' ? { ...event, reportedBy: 'batch' } : event];
}

function convert(wire: JsonObject, { cwd }: EventOrigin): JsonObject {
  return { ...wire, tool_input: convertInput(wire.tool_name, wire.tool_input, cwd) };
}
