import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import {
  type Dialect,
  type EventReader,
  readCompactStart,
  readEvents,
  readPrompt,
  readSessionEnd,
  readSessionStart,
  readSubagentEnd,
  readToolFailure,
  readTurnEnd,
  toolEnd,
} from '../dialect/events.ts';
import type { ToolTable } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

const dialect: Dialect = {
  tools,
  events: new Map<string, EventReader>([
    ['sessionStart', readStart],
    ['userPromptSubmitted', readPrompt],
    ['userPromptTransformed', readPrompt],
    ['postToolUse', readToolEnd],
    ['postToolUseFailure', readToolFailure],
    ['preCompact', readCompactStart],
    ['agentStop', readAgentEnd],
    ['sessionEnd', readSessionEnd],
  ]),
};

/**
 * The payloads have the content of Claude Code's under other names. Inside a subagent, `sessionId` is the subagent's,
 * and `parentAgentId` is the session that started it.
 */
export function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const { sessionId, parentAgentId, transcriptPath, toolName, toolArgs, customInstructions, ...rest } =
    payload;
  const isOfSubagent = text(parentAgentId) !== undefined;
  return readEvents(dialect, eventName, {
    ...rest,
    session_id: (isOfSubagent ? parentAgentId : sessionId) ?? null,
    agent_id: isOfSubagent ? (payload.agentId ?? sessionId ?? null) : null,
    agent_type: payload.agentType ?? null,
    transcript_path: transcriptPath ?? null,
    tool_name: toolName ?? null,
    tool_input: toolArgs ?? null,
    custom_instructions: customInstructions ?? null,
    hook_event_name: eventName,
  });
}

function readStart(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return readSessionStart({ ...wire, ...(wire.source === 'new' && { source: 'startup' }) }, origin);
}

/** A subagent's report is in the result of the call that started it. */
function readAgentEnd(wire: JsonObject, origin: EventOrigin): AgentEvent[] {
  return origin.subagent ? readSubagentEnd(wire, origin) : readTurnEnd(wire, origin);
}

function readToolEnd(wire: JsonObject, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  const result = isObject(wire.toolResult) ? wire.toolResult : {};
  const shown = text(result.textResultForLlm);
  const outcome = outcomeOf(text(wire.tool_name), text(result.resultType), shown ?? '');
  return [toolEnd(wire, origin, tools, { outcome, response: shown ?? null })];
}

const EXIT_LINE = /<shellId: \S+ completed with exit code (\d+)>\s*$/;

/** The client reports a failed command as a success: only the last line of the text has the exit code. */
export function outcomeOf(
  tool: string | undefined,
  resultType: string | undefined,
  shown: string,
): ToolOutcome {
  if (resultType === 'denied' || resultType === 'rejected') return 'refused';
  if (resultType !== undefined && resultType !== 'success') return 'failure';
  const isShell = tool !== undefined && tools.actions.get(tool) === 'command';
  const code = isShell ? EXIT_LINE.exec(shown)?.[1] : undefined;
  return code === undefined || code === '0' ? 'success' : 'failure';
}
