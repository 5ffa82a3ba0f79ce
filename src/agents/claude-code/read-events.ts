import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import {
  COMMON_EVENTS,
  type Dialect,
  type EventReader,
  readCompactEnd,
  readPermissionRequest,
  readPrompt,
  readSetup,
  readSubagentEnd,
} from '../dialect/events.ts';
import { readToolCall, type ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { isMachinePrompt } from './machine-prompt.ts';
import { isRefusal } from './refusal.ts';
import { tools } from './tools.ts';

export const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ...COMMON_EVENTS,
    ['Setup', readSetup],
    ['UserPromptSubmit', readOwnPrompt],
    ['PermissionRequest', readPermissionRequest],
    ['PostToolBatch', readBatch],
    ['SubagentStop', readNamedSubagentEnd],
    ['PostCompact', readCompaction],
  ]),
};

function readOwnPrompt(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const byMachine = wire.source === 'system' || isMachinePrompt(text(wire.prompt) ?? '');
  return readPrompt(wire, origin).map((event) => ({ ...event, origin: byMachine ? 'machine' : 'person' }));
}

/** The only report of calls that were denied before they ran: PreToolUse and PostToolUse do not fire for them. */
function readBatch(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const calls = Array.isArray(wire.tool_calls) ? wire.tool_calls : [];
  return calls.filter(isObject).map((call) => ({
    kind: 'tool-end',
    ...origin,
    call: readToolCall(tools, call),
    outcome: isRefusal(call.tool_response) ? 'refused' : 'success',
    response: call.tool_response ?? null,
    reportedBy: 'batch',
  }));
}

/** Compaction runs as a subagent without a name; PostCompact reports its summary. */
function readNamedSubagentEnd(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return wire.agent_type === '' ? [] : readSubagentEnd(wire, origin);
}

/** The model writes an `<analysis>` before its `<summary>`; only the summary is kept. */
function readCompaction(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  const summary = (text(wire.compact_summary) ?? '')
    .replace(/^\s*<analysis>.*?(?:<\/analysis>|(?=<summary>))/s, '')
    .replace(/^\s*<summary>/, '')
    .replace(/<\/summary>\s*$/, '')
    .trim();
  return readCompactEnd({ ...wire, compact_summary: summary }, origin);
}
