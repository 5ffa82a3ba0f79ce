import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { readToolCall, type ToolTable } from './tools.ts';
import {
  milliseconds,
  name,
  text,
  type WireCompact,
  type WireOrigin,
  type WirePrompt,
  type WireSessionEnd,
  type WireSessionStart,
  type WireSetup,
  type WireStop,
  type WireSubagentStop,
  type WireToolCall,
} from './wire.ts';

/** Converts one payload with its origin and the agent's tools to events. */
export type EventReader = (wire: JsonObject, origin: EventOrigin, tools: ToolTable) => AgentEvent[];

/** An agent that reports events in the form of Claude Code, under its own names. */
export interface Dialect {
  events: ReadonlyMap<string, EventReader>;
  tools: ToolTable;
}

export function readEvents({ events, tools }: Dialect, eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const read = events.get(text(payload.hook_event_name) ?? eventName);
  return read ? read(payload, readOrigin(payload), tools) : [];
}

function readOrigin(wire: WireOrigin): EventOrigin {
  const cwd = text(wire.cwd);
  const transcriptPath = text(wire.transcript_path);
  const promptId = name(wire.prompt_id) ?? name(wire.turn_id);
  const permissionMode = name(wire.permission_mode);
  const subagentId = name(wire.agent_id);
  return {
    sessionId: name(wire.session_id) ?? 'unknown',
    ...(cwd !== undefined && { cwd }),
    ...(transcriptPath !== undefined && { transcriptPath }),
    ...(promptId !== undefined && { promptId }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(subagentId !== undefined && { subagent: { id: subagentId, type: name(wire.agent_type) ?? '' } }),
  };
}

export function readSetup(wire: WireSetup, origin: EventOrigin): AgentEvent[] {
  return [{ kind: 'setup', ...origin, trigger: name(wire.trigger) ?? 'unknown' }];
}

export function readSessionStart(wire: WireSessionStart, origin: EventOrigin): AgentEvent[] {
  const model = name(wire.model);
  const source = name(wire.source) ?? 'unknown';
  return [{ kind: 'session-start', ...origin, source, ...(model !== undefined && { model }) }];
}

/** Some agents also report a subagent's task as a prompt; the call that started it has that text. */
export function readPrompt(wire: WirePrompt, origin: EventOrigin): AgentEvent[] {
  if (origin.subagent) return [];
  return [{ kind: 'prompt', ...origin, text: text(wire.prompt) ?? '', origin: 'person' }];
}

export function readToolStart(wire: WireToolCall, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  return [{ kind: 'tool-start', ...origin, call: readToolCall(tools, wire) }];
}

export function readPermissionRequest(
  wire: WireToolCall,
  origin: EventOrigin,
  tools: ToolTable,
): AgentEvent[] {
  return [{ kind: 'permission-request', ...origin, call: readToolCall(tools, wire) }];
}

export function readToolSuccess(wire: WireToolCall, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  return [toolEnd(wire, origin, tools, { outcome: 'success', response: wire.tool_response })];
}

export function readToolFailure(wire: WireToolCall, origin: EventOrigin, tools: ToolTable): AgentEvent[] {
  return [toolEnd(wire, origin, tools, { outcome: 'failure', response: wire.error })];
}

/** For agents that report the outcome of a call in their own form. */
export function toolEnd(
  wire: WireToolCall,
  origin: EventOrigin,
  tools: ToolTable,
  { outcome, response }: { outcome: ToolOutcome; response: Json | undefined },
): Extract<AgentEvent, { kind: 'tool-end' }> {
  const durationMs = milliseconds(wire.duration_ms);
  return {
    kind: 'tool-end',
    ...origin,
    call: readToolCall(tools, wire),
    outcome,
    response: response ?? null,
    ...(durationMs !== undefined && { durationMs }),
    reportedBy: 'call',
  };
}

export function readSubagentEnd(wire: WireSubagentStop, origin: EventOrigin): AgentEvent[] {
  const transcriptOfSubagent = text(wire.agent_transcript_path);
  return [
    {
      kind: 'subagent-end',
      ...origin,
      text: text(wire.last_assistant_message) ?? '',
      ...(transcriptOfSubagent !== undefined && { transcriptOfSubagent }),
    },
  ];
}

export function readCompactStart(wire: WireCompact, origin: EventOrigin): AgentEvent[] {
  const instructions = text(wire.custom_instructions);
  const trigger = name(wire.trigger) ?? 'unknown';
  return [{ kind: 'compact-start', ...origin, trigger, ...(instructions !== undefined && { instructions }) }];
}

export function readCompactEnd(wire: WireCompact, origin: EventOrigin): AgentEvent[] {
  const summary = text(wire.compact_summary) ?? '';
  return [{ kind: 'compact-end', ...origin, trigger: name(wire.trigger) ?? 'unknown', summary }];
}

export function readTurnEnd(wire: WireStop, origin: EventOrigin): AgentEvent[] {
  return [turnEnd(wire, origin)];
}

export function readTurnFailure(wire: WireStop, origin: EventOrigin): AgentEvent[] {
  return [{ ...turnEnd(wire, origin), error: text(wire.error) ?? 'unknown' }];
}

function turnEnd(wire: WireStop, origin: EventOrigin): Extract<AgentEvent, { kind: 'turn-end' }> {
  return {
    kind: 'turn-end',
    ...origin,
    text: text(wire.last_assistant_message) ?? '',
    continued: wire.stop_hook_active === true,
  };
}

export function readSessionEnd(wire: WireSessionEnd, origin: EventOrigin): AgentEvent[] {
  return [{ kind: 'session-end', ...origin, reason: name(wire.reason) ?? 'unknown' }];
}

/** The events by Claude Code's names. An agent replaces those that it reports in its own form. */
export const COMMON_EVENTS: readonly (readonly [string, EventReader])[] = [
  ['SessionStart', readSessionStart],
  ['UserPromptSubmit', readPrompt],
  ['PreToolUse', readToolStart],
  ['PostToolUse', readToolSuccess],
  ['PostToolUseFailure', readToolFailure],
  ['SubagentStop', readSubagentEnd],
  ['PreCompact', readCompactStart],
  ['PostCompact', readCompactEnd],
  ['Stop', readTurnEnd],
  ['StopFailure', readTurnFailure],
  ['SessionEnd', readSessionEnd],
];
