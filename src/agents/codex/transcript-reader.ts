import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../model/json.ts';
import type {
  AnswerPart,
  RecordSpan,
  TranscriptEvent,
  TranscriptOrigin,
  TranscriptReader,
} from '../agent.ts';
import { toolEnd } from '../dialect/events.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { timeOfRecord } from '../json-lines.ts';
import { convertInput, hasFailed, tools } from './tools.ts';

/**
 * A rollout has lines `{ timestamp, type, payload }`. The format changes between versions, so unknown kinds of records
 * are skipped.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const state: ReaderState = {
    origin,
    calls: new Map(),
    cwd: undefined,
    model: undefined,
    turnId: undefined,
    hasStarted: false,
    isAnswered: false,
    openSince: null,
    end: 0,
    lastAt: 0,
  };
  return {
    read(record, span) {
      state.end = span.end;
      state.lastAt = timeOfRecord(record) ?? state.lastAt;
      return isObject(record) && isObject(record.payload)
        ? readRecord(state, record, record.payload, span)
        : [];
    },
    finish: (isOver) => (isOver ? cutOffCalls(state) : []),
    isAnswered: () => state.isAnswered,
    settledOffset: () => state.openSince ?? state.end,
    lastAt: () => state.lastAt,
  };
}

interface ReaderState {
  origin: TranscriptOrigin;
  calls: Map<string, OpenCall>;
  cwd: string | undefined;
  model: string | undefined;
  turnId: string | undefined;
  hasStarted: boolean;
  isAnswered: boolean;
  /** Where the open turn begins; null between turns. */
  openSince: number | null;
  end: number;
  lastAt: number;
}

interface OpenCall {
  tool: string;
  input: Json;
  at: number;
  /** From the client's own report of the call, which has the exit code. */
  ended?: { outcome: ToolOutcome; response: Json };
}

function readRecord(
  state: ReaderState,
  record: JsonObject,
  payload: JsonObject,
  span: RecordSpan,
): TranscriptEvent[] {
  switch (record.type) {
    case 'session_meta':
      state.cwd = text(payload.cwd) ?? state.cwd;
      return [];
    case 'turn_context':
      state.cwd = text(payload.cwd) ?? state.cwd;
      state.model = name(payload.model) ?? state.model;
      state.turnId = name(payload.turn_id) ?? state.turnId;
      return [];
    case 'response_item':
      return readItem(state, payload);
    case 'event_msg':
      return readMessage(state, payload, span);
    case 'compacted':
      return [compaction(state, text(payload.message) ?? '', span)];
    default:
      return [];
  }
}

/** The model's input and output: calls and their results. */
function readItem(state: ReaderState, item: JsonObject): TranscriptEvent[] {
  const callId = name(item.call_id);
  if (callId === undefined) return [];
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      state.calls.set(callId, { ...readCall(item), at: state.lastAt });
      return [];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return endCall(state, callId, item.output);
    default:
      return [];
  }
}

/** Hooks report the shell tools as `Bash`, and MCP tools with the server's name. */
function readCall(item: JsonObject): Pick<OpenCall, 'tool' | 'input'> {
  const called = name(item.name) ?? 'unknown';
  const input = parseJson(text(item.arguments) ?? '') ?? item.input ?? item.action ?? null;
  const command = field(input, 'cmd') ?? field(input, 'command');
  const isShell = ['exec_command', 'shell', 'shell_command', 'local_shell'].includes(called);
  if (isShell || item.type === 'local_shell_call') {
    const line = Array.isArray(command) ? (text(command.at(-1)) ?? '') : (text(command) ?? '');
    return { tool: 'Bash', input: { command: line } };
  }
  if (called === 'apply_patch') return { tool: called, input: isObject(input) ? input : { command: input } };
  const namespace = name(item.namespace);
  return { tool: namespace?.startsWith('mcp__') ? `${namespace}__${called}` : called, input };
}

function endCall(state: ReaderState, callId: string, output: Json | undefined): TranscriptEvent[] {
  const call = state.calls.get(callId);
  if (!call) return [];
  state.calls.delete(callId);
  const shown = textOfBlocks(output);
  const ended = call.ended ?? { outcome: hasFailed(shown) ? 'failure' : 'success', response: shown };
  return [callEvent(state, callId, call, ended)];
}

function callEvent(
  state: ReaderState,
  callId: string,
  { tool, input, at }: OpenCall,
  ended: { outcome: ToolOutcome; response: Json },
): TranscriptEvent {
  const wire = { tool_name: tool, tool_use_id: callId, tool_input: convertInput(tool, input, state.cwd) };
  return createEvent(state, toolEnd(wire, originOf(state), tools, ended), callId, at);
}

/** The client's reports about a turn. */
function readMessage(state: ReaderState, message: JsonObject, span: RecordSpan): TranscriptEvent[] {
  switch (message.type) {
    case 'task_started':
      state.turnId = name(message.turn_id) ?? state.turnId;
      state.openSince = span.start;
      state.isAnswered = false;
      return [];
    case 'user_message':
      return readPrompt(state, text(message.message), span);
    case 'item_completed':
      return readCompletedItem(state, isObject(message.item) ? message.item : {}, span);
    case 'task_complete':
      return endTurn(state, { text: text(message.last_agent_message) ?? '' }, span);
    case 'turn_aborted':
      return endTurn(state, { text: '', error: name(message.reason) ?? 'interrupted' }, span);
    default:
      return [];
  }
}

function readCompletedItem(state: ReaderState, item: JsonObject, span: RecordSpan): TranscriptEvent[] {
  if (item.type === 'UserMessage') return readPrompt(state, textOfBlocks(item.content), span);
  const call = state.calls.get(name(item.id) ?? '');
  if (!call) return [];
  const outcome = item.status === 'failed' ? 'failure' : item.status === 'declined' ? 'refused' : 'success';
  if (item.type === 'CommandExecution') call.ended = { outcome, response: item.aggregated_output ?? '' };
  if (item.type === 'McpToolCall') call.ended = { outcome, response: item.result ?? item.error ?? null };
  return [];
}

function readPrompt(state: ReaderState, words: string | undefined, span: RecordSpan): TranscriptEvent[] {
  if (words === undefined || words === '') return [];
  state.openSince ??= span.start;
  state.isAnswered = false;
  // A subagent's prompt is written by the agent; it is also in the call that started the subagent.
  if (state.origin.subagent) return [];
  const start: TranscriptEvent[] = state.hasStarted ? [] : [startEvent(state)];
  state.hasStarted = true;
  const event: AgentEvent = { kind: 'prompt', ...originOf(state), text: words, origin: 'person' };
  return [...start, createEvent(state, event, `prompt.${span.start}`)];
}

function startEvent(state: ReaderState): TranscriptEvent {
  const { promptId: _, ...origin } = originOf(state);
  const event: AgentEvent = {
    kind: 'session-start',
    ...origin,
    source: 'unknown',
    ...(state.model !== undefined && { model: state.model }),
  };
  return createEvent(state, event, 'start');
}

function endTurn(
  state: ReaderState,
  end: { text: string; error?: string },
  span: RecordSpan,
): TranscriptEvent[] {
  const { subagent } = state.origin;
  const event: AgentEvent = subagent
    ? { kind: 'subagent-end', ...originOf(state), text: end.text, transcriptOfSubagent: subagent.path }
    : { kind: 'turn-end', ...originOf(state), ...end, continued: false };
  const events = [...cutOffCalls(state), createEvent(state, event, `turn-end.${span.start}`)];
  state.openSince = null;
  state.isAnswered = end.error === undefined;
  return events;
}

/** When its turn or session has ended, an open call does not get a result any more. */
function cutOffCalls(state: ReaderState): TranscriptEvent[] {
  const response = 'Cut off: the turn ended before this call did.';
  const events = [...state.calls].map(([callId, call]) => {
    const { event, ...rest } = callEvent(state, callId, call, { outcome: 'failure', response });
    return { ...rest, key: `${rest.key}.cut-off`, event: { ...event, reportedBy: 'batch' as const } };
  });
  state.calls.clear();
  return events;
}

function compaction(state: ReaderState, summary: string, { start }: RecordSpan): TranscriptEvent {
  const event: AgentEvent = { kind: 'compact-end', ...originOf(state), trigger: 'unknown', summary };
  return createEvent(state, event, `compact.${start}`);
}

function originOf({ origin, cwd, turnId }: ReaderState): EventOrigin {
  return {
    sessionId: origin.sessionId,
    ...(cwd !== undefined && { cwd }),
    transcriptPath: origin.path,
    ...(turnId !== undefined && { promptId: turnId }),
    ...(origin.subagent && { subagent: { id: origin.subagent.id, type: origin.subagent.type } }),
  };
}

function createEvent(state: ReaderState, event: AgentEvent, key: string, at = state.lastAt): TranscriptEvent {
  const { sessionId, subagent } = state.origin;
  return { event, at, key: `${subagent?.id ?? sessionId}.${key}` };
}

export function readAnswer(record: Json): AnswerPart[] {
  const payload = isObject(record) && record.type === 'response_item' ? record.payload : undefined;
  if (!isObject(payload)) return [];
  if (payload.type === 'message' && payload.role === 'assistant') {
    const words = textOfBlocks(payload.content);
    return words === '' ? [] : [{ text: words }];
  }
  const isCall = /^(?:function|custom_tool|local_shell)_call$/.test(text(payload.type) ?? '');
  const callId = isCall ? name(payload.call_id) : undefined;
  return callId === undefined ? [] : [{ callId }];
}
