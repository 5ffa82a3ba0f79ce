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
import { convertResponse } from '../gemini/tool-results.ts';
import { beginTurn, createTurnReader, noteAnswer, type TurnState, takeCall } from '../turn-reader.ts';
import { tools } from './tools.ts';

/**
 * A chat: lines `{ uuid, timestamp, type: user | assistant | tool_result | system, message: { parts } }`. Calls have the
 * ids that hooks report; prompts have none, so in a session with hooks they count as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  return createTurnReader(origin, readLine);
}

function readLine(state: TurnState, line: JsonObject, span: RecordSpan): TranscriptEvent[] {
  const key = name(line.uuid) ?? `${state.origin.sessionId}.${span.start}`;
  switch (line.type) {
    case 'user':
      return readPrompt(state, line, key, span);
    case 'assistant': {
      const calls = partsOf(line, 'functionCall');
      for (const call of calls) state.calls.set(name(call.id) ?? '', call);
      const origin = originOf(state, line);
      noteAnswer(state, { text: textsOf(line), key, origin, hasCalls: calls.length > 0 });
      return [];
    }
    case 'tool_result':
      return partsOf(line, 'functionResponse').flatMap((result) => endCall(state, line, result));
    default:
      return [];
  }
}

function readPrompt(state: TurnState, line: JsonObject, key: string, span: RecordSpan): TranscriptEvent[] {
  const words = textsOf(line);
  if (words === '') return [];
  const byPerson = line.provenance === undefined || line.provenance === 'real_user';
  const origin = byPerson ? 'person' : 'machine';
  return beginTurn(state, { kind: 'prompt', ...originOf(state, line), text: words, origin }, key, span);
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

function endCall(state: TurnState, line: JsonObject, result: JsonObject): TranscriptEvent[] {
  const id = name(result.id) ?? '';
  const call = takeCall(state, id);
  if (!call) return [];
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

function originOf({ origin }: TurnState, line: JsonObject): EventOrigin {
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

export function readAnswer(record: Json): AnswerPart[] {
  if (!isObject(record) || record.type !== 'assistant') return [];
  const words = textsOf(record);
  const calls = partsOf(record, 'functionCall').flatMap((call) => name(call.id) ?? []);
  return [...(words === '' ? [] : [{ text: words }]), ...calls.map((callId) => ({ callId }))];
}
