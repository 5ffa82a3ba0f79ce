import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import type { Agent } from '../agent.ts';
import { configFolder } from './config-folder.ts';
import { controlMarks } from './control-marks.ts';
import { hookRouting } from './events.ts';
import { isMachinePrompt } from './machine-prompt.ts';
import { isRefusal } from './refusal.ts';
import { isBlockFeedback, printReply } from './replies.ts';
import { LONGEST_CONTEXT } from './reply-rules.ts';
import { readToolCall } from './tools.ts';
import { memoryFiles, transcripts } from './transcripts.ts';
import { readLastUsage } from './usage.ts';
import { windowSizeOf } from './window.ts';
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
  type WireToolBatch,
  type WireToolCall,
} from './wire.ts';
import { findWorkReports, workTools } from './work-reports.ts';

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  configFolder,
  hooks: hookRouting,
  longestContext: LONGEST_CONTEXT,
  toEvents,
  print: printReply,
  blockIsFeedback: isBlockFeedback,
  instructionsFile: 'CLAUDE.md',
  structuredMcpClient: 'claude-code',
  controlMarks,
  lastUsage: readLastUsage,
  windowOf: windowSizeOf,
  workTools,
  findWorkReports: findWorkReports,
  transcripts,
  memoryFiles,
};

function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const origin = readOrigin(payload);
  switch (text(payload.hook_event_name) ?? eventName) {
    case 'Setup':
      return [setup(origin, payload)];
    case 'SessionStart':
      return [sessionStart(origin, payload)];
    case 'UserPromptSubmit':
      return [prompt(origin, payload)];
    case 'PreToolUse':
      return [{ kind: 'tool-start', ...origin, call: readToolCall(payload) }];
    case 'PermissionRequest':
      return [{ kind: 'permission-request', ...origin, call: readToolCall(payload) }];
    case 'PostToolUse':
      return [toolEnd(origin, payload, 'success', payload.tool_response)];
    case 'PostToolUseFailure':
      return [toolEnd(origin, payload, 'failure', payload.error)];
    case 'PostToolBatch':
      return batch(origin, payload);
    case 'SubagentStop':
      return subagentEnd(origin, payload);
    case 'PreCompact':
      return [compactStart(origin, payload)];
    case 'PostCompact':
      return [compactEnd(origin, payload)];
    case 'Stop':
      return [turnEnd(origin, payload)];
    case 'StopFailure':
      return [{ ...turnEnd(origin, payload), error: text(payload.error) ?? 'unknown' }];
    case 'SessionEnd':
      return [sessionEnd(origin, payload)];
    default:
      return [];
  }
}

function readOrigin(wire: WireOrigin): EventOrigin {
  const cwd = text(wire.cwd);
  const transcriptPath = text(wire.transcript_path);
  const promptId = name(wire.prompt_id);
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

function setup(origin: EventOrigin, wire: WireSetup): AgentEvent {
  return { kind: 'setup', ...origin, trigger: name(wire.trigger) ?? 'unknown' };
}

function sessionStart(origin: EventOrigin, wire: WireSessionStart): AgentEvent {
  const model = name(wire.model);
  return {
    kind: 'session-start',
    ...origin,
    source: name(wire.source) ?? 'unknown',
    ...(model !== undefined && { model }),
  };
}

function prompt(origin: EventOrigin, wire: WirePrompt): AgentEvent {
  const words = text(wire.prompt) ?? '';
  const byMachine = wire.source === 'system' || isMachinePrompt(words);
  return { kind: 'prompt', ...origin, text: words, origin: byMachine ? 'machine' : 'person' };
}

function toolEnd(
  origin: EventOrigin,
  wire: WireToolCall,
  outcome: ToolOutcome,
  response: Json | undefined,
): AgentEvent {
  const durationMs = milliseconds(wire.duration_ms);
  return {
    kind: 'tool-end',
    ...origin,
    call: readToolCall(wire),
    outcome,
    response: response ?? null,
    ...(durationMs !== undefined && { durationMs }),
    reportedBy: 'call',
  };
}

/** The only report of calls that were denied before they ran: PreToolUse and PostToolUse do not fire for them. */
function batch(origin: EventOrigin, wire: WireToolBatch): AgentEvent[] {
  const calls = Array.isArray(wire.tool_calls) ? wire.tool_calls : [];
  return calls.filter(isObject).map((call) => ({
    kind: 'tool-end',
    ...origin,
    call: readToolCall(call),
    outcome: isRefusal(call.tool_response) ? 'refused' : 'success',
    response: call.tool_response ?? null,
    reportedBy: 'batch',
  }));
}

/** Compaction runs as a subagent without a name; PostCompact reports its summary. */
function subagentEnd(origin: EventOrigin, wire: WireSubagentStop): AgentEvent[] {
  if (wire.agent_type === '') return [];
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

function compactStart(origin: EventOrigin, wire: WireCompact): AgentEvent {
  const instructions = text(wire.custom_instructions);
  return {
    kind: 'compact-start',
    ...origin,
    trigger: name(wire.trigger) ?? 'unknown',
    ...(instructions !== undefined && { instructions }),
  };
}

function compactEnd(origin: EventOrigin, wire: WireCompact): AgentEvent {
  const summary = withoutAnalysis(text(wire.compact_summary) ?? '');
  return { kind: 'compact-end', ...origin, trigger: name(wire.trigger) ?? 'unknown', summary };
}

/** The model writes an `<analysis>` before its `<summary>`; only the summary is kept. */
function withoutAnalysis(raw: string): string {
  return raw
    .replace(/^\s*<analysis>.*?(?:<\/analysis>|(?=<summary>))/s, '')
    .replace(/^\s*<summary>/, '')
    .replace(/<\/summary>\s*$/, '')
    .trim();
}

function turnEnd(origin: EventOrigin, wire: WireStop): Extract<AgentEvent, { kind: 'turn-end' }> {
  return {
    kind: 'turn-end',
    ...origin,
    text: text(wire.last_assistant_message) ?? '',
    continued: wire.stop_hook_active === true,
  };
}

function sessionEnd(origin: EventOrigin, wire: WireSessionEnd): AgentEvent {
  return { kind: 'session-end', ...origin, reason: name(wire.reason) ?? 'unknown' };
}
