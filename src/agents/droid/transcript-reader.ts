import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type {
  AnswerPart,
  RecordSpan,
  TranscriptEvent,
  TranscriptOrigin,
  TranscriptReader,
} from '../agent.ts';
import { toolEnd } from '../dialect/events.ts';
import { field } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { tools } from './tools.ts';

/**
 * A session: lines `{ type: "message", id, timestamp, message: { role, content } }` with blocks as in the Messages API.
 * Hooks do not report calls that failed, and without a screen no prompt: those have ids here, which no hook knows.
 * Everything else has none, so in a session with hooks it counts as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const state: ReaderState = {
    origin,
    calls: new Map(),
    cwd: undefined,
    answer: null,
    openSince: null,
    end: 0,
    lastAt: 0,
  };
  return {
    read(record, span) {
      state.end = span.end;
      state.lastAt = timeOf(record) ?? state.lastAt;
      return isObject(record) ? readLine(state, record, span) : [];
    },
    finish: (isOver) => (isOver ? endTurn(state) : []),
    isAnswered: () => state.answer !== null && state.calls.size === 0,
    settledOffset: () => state.openSince ?? state.end,
    lastAt: () => state.lastAt,
  };
}

interface ReaderState {
  origin: TranscriptOrigin;
  /** Calls without a result yet, by their id. */
  calls: Map<string, JsonObject>;
  cwd: string | undefined;
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number } | null;
  openSince: number | null;
  end: number;
  lastAt: number;
}

function readLine(state: ReaderState, line: JsonObject, span: RecordSpan): TranscriptEvent[] {
  if (line.type === 'session_start') state.cwd = text(line.cwd) ?? state.cwd;
  const message = messageIn(line);
  if (!message) return [];
  const id = name(line.id);
  const key = id ?? `${state.origin.sessionId}.${span.start}`;
  if (message.role === 'assistant') {
    readAnswerLine(state, message, key);
    return [];
  }
  const ended = blocksOf(message, 'tool_result').flatMap((result) => endCall(state, result));
  const words = textsOf(message);
  // Reminders come in messages of their own.
  if (ended.length > 0 || words === '' || id?.startsWith('context-')) return ended;
  const before = endTurn(state);
  state.openSince = span.start;
  const origin = { ...originOf(state), ...(id !== undefined && { promptId: id }) };
  const event: AgentEvent = { kind: 'prompt', ...origin, text: words, origin: 'person' };
  return [...before, { event, at: state.lastAt, key }];
}

function readAnswerLine(state: ReaderState, message: JsonObject, key: string): void {
  const calls = blocksOf(message, 'tool_use');
  for (const call of calls) state.calls.set(name(call.id) ?? '', call);
  const words = textsOf(message);
  state.answer = calls.length === 0 && words !== '' ? { text: words, key, at: state.lastAt } : null;
}

function endCall(state: ReaderState, result: JsonObject): TranscriptEvent[] {
  const id = name(result.tool_use_id) ?? '';
  const call = state.calls.get(id);
  if (!call) return [];
  state.calls.delete(id);
  const failed = result.is_error === true;
  const response = typeof result.content === 'string' ? result.content : textsOf(result);
  const wire = {
    tool_name: call.name ?? null,
    ...(failed && { tool_use_id: id }),
    tool_input: call.input ?? null,
  };
  const outcome = failed ? 'failure' : 'success';
  const event = toolEnd(wire, originOf(state), tools, { outcome, response });
  return [{ event, at: state.lastAt, key: `${state.origin.sessionId}.${id}` }];
}

function endTurn(state: ReaderState): TranscriptEvent[] {
  const { answer } = state;
  state.openSince = null;
  state.answer = null;
  state.calls.clear();
  if (!answer) return [];
  const event: AgentEvent = { kind: 'turn-end', ...originOf(state), text: answer.text, continued: false };
  return [{ event, at: answer.at, key: `${answer.key}.turn-end` }];
}

function originOf({ origin, cwd }: ReaderState): EventOrigin {
  return { sessionId: origin.sessionId, ...(cwd !== undefined && { cwd }), transcriptPath: origin.path };
}

/** What only the person is shown, such as the runs of hooks, is not a part of the conversation. */
function messageIn(line: JsonObject): JsonObject | undefined {
  const { type, message } = line;
  return type === 'message' && isObject(message) && message.visibility !== 'user_only' ? message : undefined;
}

function blocksOf({ content }: JsonObject, type: string): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject).filter((block) => block.type === type) : [];
}

function textsOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content;
  const texts = blocksOf(message, 'text').flatMap((block) => text(block.text) ?? []);
  return texts.filter((words) => !/^\s*<system-(?:reminder|notification)>/.test(words)).join('\n');
}

export function timeOf(record: Json): number | undefined {
  const at = Date.parse(text(field(record, 'timestamp')) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** Hooks know no ids of calls, so only words. */
export function readAnswer(record: Json): AnswerPart[] {
  const message = isObject(record) ? messageIn(record) : undefined;
  const words = message?.role === 'assistant' ? textsOf(message) : '';
  return words === '' ? [] : [{ text: words }];
}
