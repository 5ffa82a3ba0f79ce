import type { EventOrigin } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type {
  AnswerPart,
  RecordSpan,
  TranscriptEvent,
  TranscriptOrigin,
  TranscriptReader,
} from '../agent.ts';
import { toolEnd } from '../dialect/events.ts';
import { name, text } from '../dialect/wire.ts';
import { beginTurn, createTurnReader, noteAnswer, type TurnState, takeCall } from '../turn-reader.ts';
import { tools } from './tools.ts';

/**
 * A session: lines `{ type: "message", id, timestamp, message: { role, content } }` with blocks as in the Messages API.
 * Hooks do not report calls that failed, and without a screen no prompt: those have ids here, which no hook knows.
 * Everything else has none, so in a session with hooks it counts as reported.
 */
export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  let cwd: string | undefined;
  return createTurnReader(origin, (state, line, span) => {
    if (line.type === 'session_start') cwd = text(line.cwd) ?? cwd;
    const event = {
      sessionId: origin.sessionId,
      ...(cwd !== undefined && { cwd }),
      transcriptPath: origin.path,
    };
    return readLine(state, line, span, event);
  });
}

function readLine(
  state: TurnState,
  line: JsonObject,
  span: RecordSpan,
  origin: EventOrigin,
): TranscriptEvent[] {
  const message = messageIn(line);
  if (!message) return [];
  const id = name(line.id);
  const key = id ?? `${state.origin.sessionId}.${span.start}`;
  if (message.role === 'assistant') {
    const calls = blocksOf(message, 'tool_use');
    for (const call of calls) state.calls.set(name(call.id) ?? '', call);
    noteAnswer(state, { text: textsOf(message), key, origin, hasCalls: calls.length > 0 });
    return [];
  }
  const ended = blocksOf(message, 'tool_result').flatMap((result) => endCall(state, result, origin));
  const words = textsOf(message);
  // Reminders come in messages of their own.
  if (ended.length > 0 || words === '' || id?.startsWith('context-')) return ended;
  const promptId = id === undefined ? {} : { promptId: id };
  return beginTurn(
    state,
    { kind: 'prompt', ...origin, ...promptId, text: words, origin: 'person' },
    key,
    span,
  );
}

function endCall(state: TurnState, result: JsonObject, origin: EventOrigin): TranscriptEvent[] {
  const id = name(result.tool_use_id) ?? '';
  const call = takeCall(state, id);
  if (!call) return [];
  const failed = result.is_error === true;
  const response = typeof result.content === 'string' ? result.content : textsOf(result);
  const wire = {
    tool_name: call.name ?? null,
    ...(failed && { tool_use_id: id }),
    tool_input: call.input ?? null,
  };
  const outcome = failed ? 'failure' : 'success';
  const event = toolEnd(wire, origin, tools, { outcome, response });
  return [{ event, at: state.lastAt, key: `${state.origin.sessionId}.${id}` }];
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

/** Hooks know no ids of calls, so only words. */
export function readAnswer(record: Json): AnswerPart[] {
  const message = isObject(record) ? messageIn(record) : undefined;
  const words = message?.role === 'assistant' ? textsOf(message) : '';
  return words === '' ? [] : [{ text: words }];
}
