import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
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
import { withoutHookContext } from './read-events.ts';
import { convertResponse, hasFailed } from './tool-results.ts';
import { tools } from './tools.ts';

/**
 * A chat: a header, messages `{ id, timestamp, type: user | gemini, content, toolCalls? }` and patches `{ $set }`. A
 * message is written again when its calls have ended. Neither prompts nor calls have ids that hooks report, so in a
 * session with hooks everything counts as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const state: ReaderState = { origin, calls: new Set(), answer: null, openSince: null, end: 0, lastAt: 0 };
  return {
    read(record, span) {
      state.end = span.end;
      state.lastAt = timeOf(record) ?? state.lastAt;
      return isObject(record) ? readMessage(state, record, span) : [];
    },
    finish: (isOver) => (isOver ? endTurn(state) : []),
    isAnswered: () => state.answer !== null,
    settledOffset: () => state.openSince ?? state.end,
    lastAt: () => state.lastAt,
  };
}

interface ReaderState {
  origin: TranscriptOrigin;
  /** Calls that were read in the open turn. */
  calls: Set<string>;
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number } | null;
  openSince: number | null;
  end: number;
  lastAt: number;
}

function readMessage(state: ReaderState, message: JsonObject, span: RecordSpan): TranscriptEvent[] {
  const key = name(message.id) ?? `${state.origin.sessionId}.${span.start}`;
  if (message.type === 'user') return readPrompt(state, message, key, span);
  if (message.type !== 'gemini') return [];
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : [];
  const words = textOf(message.content);
  state.answer = calls.length === 0 && words !== '' ? { text: words, key, at: state.lastAt } : null;
  return calls.flatMap((call) => readCall(state, call));
}

function readPrompt(
  state: ReaderState,
  { content }: JsonObject,
  key: string,
  span: RecordSpan,
): TranscriptEvent[] {
  const words = withoutHookContext(textOf(content));
  // Results of calls, and what the client says about itself.
  if (words === '' || words.startsWith('<session_context>')) return [];
  const before = endTurn(state);
  state.openSince = span.start;
  const event: AgentEvent = { kind: 'prompt', ...originOf(state), text: words, origin: 'person' };
  return [...before, { event, at: state.lastAt, key }];
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['success', 'success'],
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

function readCall(state: ReaderState, call: JsonObject): TranscriptEvent[] {
  const id = name(call.id) ?? '';
  const status = OUTCOMES.get(call.status);
  if (status === undefined || state.calls.has(id)) return [];
  state.calls.add(id);
  const [first] = Array.isArray(call.result) ? call.result : [];
  const llmContent = field(field(field(first, 'functionResponse'), 'response'), 'output') ?? null;
  const result = { llmContent, returnDisplay: call.resultDisplay ?? null };
  const outcome = status === 'success' && hasFailed(result) ? 'failure' : status;
  const response = convertResponse(result);
  const wire = { tool_name: call.name ?? null, tool_input: call.args ?? null, tool_response: response };
  const event = toolEnd(wire, originOf(state), tools, { outcome, response });
  return [{ event, at: timeOf(call) ?? state.lastAt, key: `${state.origin.sessionId}.${id}` }];
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

function originOf({ origin }: ReaderState): EventOrigin {
  return { sessionId: origin.sessionId, transcriptPath: origin.path };
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.flatMap((part) => text(field(part, 'text')) ?? []).join('\n') : '';
}

export function timeOf(record: Json): number | undefined {
  const at = Date.parse(text(field(record, 'timestamp')) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** Calls have no ids that hooks know, so only words. */
export function readAnswer(record: Json): AnswerPart[] {
  const words = isObject(record) && record.type === 'gemini' ? textOf(record.content) : '';
  return words === '' ? [] : [{ text: words }];
}
