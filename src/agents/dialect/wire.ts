import type { Json } from '../../model/json.ts';

/**
 * Hook payloads in the form that Claude Code introduced and other agents adopted, in the order of a session. A field
 * may be missing or of any type, so each is read with `text` and the functions below, which treat a wrong type as
 * missing.
 */
export interface WireOrigin {
  session_id?: Json;
  cwd?: Json;
  transcript_path?: Json;
  prompt_id?: Json;
  turn_id?: Json;
  permission_mode?: Json;
  /** Only inside a subagent; `agent_type` alone means that the whole session runs as that agent. */
  agent_id?: Json;
  agent_type?: Json;
}

export interface WireSetup {
  trigger?: Json;
}

export interface WireSessionStart {
  source?: Json;
  model?: Json;
}

export interface WirePrompt {
  prompt?: Json;
  source?: Json;
}

/** Before a tool, at a permission request (without an id), after a tool, and in a batch. */
export interface WireToolCall {
  tool_name?: Json;
  tool_use_id?: Json;
  tool_call_id?: Json;
  tool_input?: Json;
  /** An object in the tool's own shape; in a batch, the text or the blocks shown to the model. */
  tool_response?: Json;
  error?: Json;
  duration_ms?: Json;
}

export interface WireSubagentStop {
  last_assistant_message?: Json;
  agent_transcript_path?: Json;
}

export interface WireCompact {
  trigger?: Json;
  custom_instructions?: Json;
  compact_summary?: Json;
}

export interface WireStop {
  last_assistant_message?: Json;
  stop_hook_active?: Json;
  error?: Json;
}

export interface WireSessionEnd {
  reason?: Json;
}

/** The fields of all payloads above. */
export const WIRE_FIELDS: readonly string[] = [
  ...['hook_event_name', 'session_id', 'cwd', 'transcript_path', 'prompt_id', 'turn_id', 'permission_mode'],
  ...['agent_id', 'agent_type', 'trigger', 'source', 'model', 'prompt', 'reason', 'error', 'duration_ms'],
  ...['tool_name', 'tool_use_id', 'tool_call_id', 'tool_input', 'tool_response', 'stop_hook_active'],
  ...['last_assistant_message', 'agent_transcript_path', 'custom_instructions', 'compact_summary'],
];

const longestName = 200;

/** A non-empty string. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id or a name. Its length is limited because it is used as a key. */
export function name(value: Json | undefined): string | undefined {
  const whole = text(value);
  return whole === undefined ? undefined : clip(whole, longestName);
}

export function milliseconds(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The first `limit` UTF-16 units, one fewer if the cut would split a character. */
export function clip(whole: string, limit: number): string {
  if (whole.length <= limit) return whole;
  const last = whole.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return whole.slice(0, splitsPair ? limit - 1 : limit);
}
