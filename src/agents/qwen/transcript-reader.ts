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
import { convertResponse } from '../gemini/tool-results.ts';
import { tools } from './tools.ts';

/**
 * A chat: lines `{ uuid, timestamp, type: user | assistant | tool_result | system, message: { parts } }`. Calls have the
 * ids that hooks report; prompts have none, so in a session with hooks they count as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const state: ReaderState = { origin, calls: new Map(), answer: null, openSince: null, end: 0, lastAt: 0 };
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
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number; origin: EventOrigin } | null;
  openSince: number | null;
  end: number;
  lastAt: number;
}

function readLine(state: ReaderState, line: JsonObject, span: RecordSpan): TranscriptEvent[] {
  const key = name(line.uuid) ?? `${state.origin.sessionId}.${span.start}`;
  switch (line.type) {
    case 'user':
      return readPrompt(state, line, key, span);
    case 'assistant':
      readAnswerLine(state, line, key);
      return [];
    case 'tool_result':
      return partsOf(line, 'functionResponse').flatMap((result) => endCall(state, line, result));
    default:
      return [];
  }
}

function readPrompt(state: ReaderState, line: JsonObject, key: string, span: RecordSpan): TranscriptEvent[] {
  const words = textsOf(line);
  if (words === '') return [];
  const before = endTurn(state);
  state.openSince = span.start;
  const byPerson = line.provenance === undefined || line.provenance === 'real_user';
  const origin = byPerson ? 'person' : 'machine';
  const event: AgentEvent = { kind: 'prompt', ...originOf(state, line), text: words, origin };
  return [...before, { event, at: state.lastAt, key }];
}

function readAnswerLine(state: ReaderState, line: JsonObject, key: string): void {
  const calls = partsOf(line, 'functionCall');
  for (const call of calls) state.calls.set(name(call.id) ?? '', call);
  const words = textsOf(line);
  const origin = originOf(state, line);
  state.answer = calls.length === 0 && words !== '' ? { text: words, key, at: state.lastAt, origin } : null;
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

function endCall(state: ReaderState, line: JsonObject, result: JsonObject): TranscriptEvent[] {
  const id = name(result.id) ?? '';
  const call = state.calls.get(id);
  if (!call) return [];
  state.calls.delete(id);
  const { response: shown } = result;
  const llmContent = field(shown, 'output') ?? field(shown, 'error') ?? null;
  const returnDisplay = field(line.toolCallResult, 'resultDisplay') ?? null;
  const outcome = OUTCOMES.get(field(line.toolCallResult, 'status')) ?? 'success';
  const response = convertResponse({ llmContent, returnDisplay });
  const wire = {
    tool_name: call.name ?? null,
    tool_use_id: id,
    tool_input: call.args ?? null,
    tool_response: response,
  };
  const event = toolEnd(wire, originOf(state, line), tools, { outcome, response });
  return [{ event, at: state.lastAt, key: `${state.origin.sessionId}.${id}` }];
}

function endTurn(state: ReaderState): TranscriptEvent[] {
  const { answer } = state;
  state.openSince = null;
  state.answer = null;
  state.calls.clear();
  if (!answer) return [];
  const event: AgentEvent = { kind: 'turn-end', ...answer.origin, text: answer.text, continued: false };
  return [{ event, at: answer.at, key: `${answer.key}.turn-end` }];
}

function originOf({ origin }: ReaderState, line: JsonObject): EventOrigin {
  const cwd = text(line.cwd);
  return { sessionId: origin.sessionId, ...(cwd !== undefined && { cwd }), transcriptPath: origin.path };
}

function partsOf(line: JsonObject, kind: 'functionCall' | 'functionResponse'): JsonObject[] {
  const parts = field(line.message, 'parts');
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part) => {
    const found = field(part, kind);
    return isObject(found) ? [found] : [];
  });
}

function textsOf(line: JsonObject): string {
  const parts = field(line.message, 'parts');
  if (!Array.isArray(parts)) return '';
  const said = parts.filter((part) => field(part, 'thought') !== true);
  return said.flatMap((part) => text(field(part, 'text')) ?? []).join('\n');
}

export function timeOf(record: Json): number | undefined {
  const at = Date.parse(text(field(record, 'timestamp')) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

export function readAnswer(record: Json): AnswerPart[] {
  if (!isObject(record) || record.type !== 'assistant') return [];
  const words = textsOf(record);
  const calls = partsOf(record, 'functionCall').flatMap((call) => name(call.id) ?? []);
  return [...(words === '' ? [] : [{ text: words }]), ...calls.map((callId) => ({ callId }))];
}
