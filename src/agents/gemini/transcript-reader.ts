import type { EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
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
import { timeOfRecord } from '../json-lines.ts';
import { beginTurn, createTurnReader, noteAnswer, type TurnState } from '../turn-reader.ts';
import { withoutHookContext } from './read-events.ts';
import { convertResponse, hasFailed } from './tool-results.ts';
import { tools } from './tools.ts';

/**
 * A chat: a header, messages `{ id, timestamp, type: user | gemini, content, toolCalls? }` and patches `{ $set }`. A
 * message is written again when its calls have ended. Neither prompts nor calls have ids that hooks report, so in a
 * session with hooks everything counts as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const read = new Set<string>();
  return createTurnReader(origin, (state, message, span) => readMessage(state, message, span, read));
}

/** `read`: the ids of calls in earlier messages. */
function readMessage(
  state: TurnState,
  message: JsonObject,
  span: RecordSpan,
  read: Set<string>,
): TranscriptEvent[] {
  const key = name(message.id) ?? `${state.origin.sessionId}.${span.start}`;
  if (message.type === 'user') return readPrompt(state, message, key, span);
  if (message.type !== 'gemini') return [];
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : [];
  const origin = originOf(state);
  noteAnswer(state, { text: textOf(message.content), key, origin, hasCalls: calls.length > 0 });
  return calls.flatMap((call) => readCall(state, call, read));
}

function readPrompt(
  state: TurnState,
  { content }: JsonObject,
  key: string,
  span: RecordSpan,
): TranscriptEvent[] {
  const words = withoutHookContext(textOf(content));
  // Results of calls, and what the client says about itself.
  if (words === '' || words.startsWith('<session_context>')) return [];
  return beginTurn(state, { kind: 'prompt', ...originOf(state), text: words, origin: 'person' }, key, span);
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['success', 'success'],
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

function readCall(state: TurnState, call: JsonObject, read: Set<string>): TranscriptEvent[] {
  const id = name(call.id) ?? '';
  const status = OUTCOMES.get(call.status);
  if (status === undefined || read.has(id)) return [];
  read.add(id);
  const [first] = Array.isArray(call.result) ? call.result : [];
  const llmContent = field(field(field(first, 'functionResponse'), 'response'), 'output') ?? null;
  const result = { llmContent, returnDisplay: call.resultDisplay ?? null };
  const outcome = status === 'success' && hasFailed(result) ? 'failure' : status;
  const response = convertResponse(result);
  const wire = { tool_name: call.name ?? null, tool_input: call.args ?? null, tool_response: response };
  const event = toolEnd(wire, originOf(state), tools, { outcome, response });
  return [{ event, at: timeOfRecord(call) ?? state.lastAt, key: `${state.origin.sessionId}.${id}` }];
}

function originOf({ origin }: TurnState): EventOrigin {
  return { sessionId: origin.sessionId, transcriptPath: origin.path };
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.flatMap((part) => text(field(part, 'text')) ?? []).join('\n') : '';
}

/** Calls have no ids that hooks know, so only words. */
export function readAnswer(record: Json): AnswerPart[] {
  const words = isObject(record) && record.type === 'gemini' ? textOf(record.content) : '';
  return words === '' ? [] : [{ text: words }];
}
