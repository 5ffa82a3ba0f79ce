import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json } from '../../model/json.ts';
import type { Agent } from '../agent.ts';
import { controlMarks } from './control-marks.ts';
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
  workSigns: findWorkReports,
  transcripts,
  memoryFiles,
};

function toEvents(eventName: string, payload: Json): AgentEvent[] {
  if (!isObject(payload)) return [];
  const scene = sceneOf(payload);
  switch (text(payload.hook_event_name) ?? eventName) {
    case 'Setup':
      return [setup(scene, payload)];
    case 'SessionStart':
      return [sessionStart(scene, payload)];
    case 'UserPromptSubmit':
      return [prompt(scene, payload)];
    case 'PreToolUse':
      return [{ kind: 'tool-start', ...scene, call: readToolCall(payload) }];
    case 'PermissionRequest':
      return [{ kind: 'permission-request', ...scene, call: readToolCall(payload) }];
    case 'PostToolUse':
      return [toolEnd(scene, payload, 'success', payload.tool_response)];
    case 'PostToolUseFailure':
      return [toolEnd(scene, payload, 'failure', payload.error)];
    case 'PostToolBatch':
      return batch(scene, payload);
    case 'SubagentStop':
      return subagentEnd(scene, payload);
    case 'PreCompact':
      return [compactStart(scene, payload)];
    case 'PostCompact':
      return [compactEnd(scene, payload)];
    case 'Stop':
      return [turnEnd(scene, payload)];
    case 'StopFailure':
      return [{ ...turnEnd(scene, payload), error: text(payload.error) ?? 'unknown' }];
    case 'SessionEnd':
      return [sessionEnd(scene, payload)];
    default:
      return [];
  }
}

function sceneOf(wire: WireOrigin): EventOrigin {
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

function setup(scene: EventOrigin, wire: WireSetup): AgentEvent {
  return { kind: 'setup', ...scene, trigger: name(wire.trigger) ?? 'unknown' };
}

function sessionStart(scene: EventOrigin, wire: WireSessionStart): AgentEvent {
  const model = name(wire.model);
  return {
    kind: 'session-start',
    ...scene,
    source: name(wire.source) ?? 'unknown',
    ...(model !== undefined && { model }),
  };
}

function prompt(scene: EventOrigin, wire: WirePrompt): AgentEvent {
  const words = text(wire.prompt) ?? '';
  const byMachine = wire.source === 'system' || isMachinePrompt(words);
  return { kind: 'prompt', ...scene, text: words, origin: byMachine ? 'machine' : 'person' };
}

function toolEnd(
  scene: EventOrigin,
  wire: WireToolCall,
  outcome: ToolOutcome,
  response: Json | undefined,
): AgentEvent {
  const durationMs = milliseconds(wire.duration_ms);
  return {
    kind: 'tool-end',
    ...scene,
    call: readToolCall(wire),
    outcome,
    response: response ?? null,
    ...(durationMs !== undefined && { durationMs }),
    reportedBy: 'call',
  };
}

/** The only report of calls which were refused before they ran: neither PreToolUse nor PostToolUse fires for them. */
function batch(scene: EventOrigin, wire: WireToolBatch): AgentEvent[] {
  const calls = Array.isArray(wire.tool_calls) ? wire.tool_calls : [];
  return calls.filter(isObject).map((call) => ({
    kind: 'tool-end',
    ...scene,
    call: readToolCall(call),
    outcome: isRefusal(call.tool_response) ? 'refused' : 'success',
    response: call.tool_response ?? null,
    reportedBy: 'batch',
  }));
}

/** Compaction runs as a nameless subagent; its report is the summary, which PostCompact brings as such. */
function subagentEnd(scene: EventOrigin, wire: WireSubagentStop): AgentEvent[] {
  if (wire.agent_type === '') return [];
  const transcriptOfSubagent = text(wire.agent_transcript_path);
  return [
    {
      kind: 'subagent-end',
      ...scene,
      text: text(wire.last_assistant_message) ?? '',
      ...(transcriptOfSubagent !== undefined && { transcriptOfSubagent }),
    },
  ];
}

function compactStart(scene: EventOrigin, wire: WireCompact): AgentEvent {
  const instructions = text(wire.custom_instructions);
  return {
    kind: 'compact-start',
    ...scene,
    trigger: name(wire.trigger) ?? 'unknown',
    ...(instructions !== undefined && { instructions }),
  };
}

function compactEnd(scene: EventOrigin, wire: WireCompact): AgentEvent {
  const summary = withoutAnalysis(text(wire.compact_summary) ?? '');
  return { kind: 'compact-end', ...scene, trigger: name(wire.trigger) ?? 'unknown', summary };
}

/** The model thinks aloud in an `<analysis>` before its `<summary>`; only the latter is meant to last. */
function withoutAnalysis(raw: string): string {
  return raw
    .replace(/^\s*<analysis>.*?(?:<\/analysis>|(?=<summary>))/s, '')
    .replace(/^\s*<summary>/, '')
    .replace(/<\/summary>\s*$/, '')
    .trim();
}

function turnEnd(scene: EventOrigin, wire: WireStop): Extract<AgentEvent, { kind: 'turn-end' }> {
  return {
    kind: 'turn-end',
    ...scene,
    text: text(wire.last_assistant_message) ?? '',
    continued: wire.stop_hook_active === true,
  };
}

function sessionEnd(scene: EventOrigin, wire: WireSessionEnd): AgentEvent {
  return { kind: 'session-end', ...scene, reason: name(wire.reason) ?? 'unknown' };
}
