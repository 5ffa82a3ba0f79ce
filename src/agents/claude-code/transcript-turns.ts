import type { AgentEvent } from '../../model/agent-event.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { TranscriptEvent, TranscriptOrigin } from '../agent.ts';
import { name } from '../dialect/wire.ts';
import { blocksOf, blocksOfType, textsOf } from './transcript-line.ts';
import {
  branchOf,
  eventOf,
  type Line,
  originOf,
  type ReaderState,
  type TranscriptAnswer,
} from './transcript-state.ts';

export function readModelAnswer(state: ReaderState, line: Line): TranscriptEvent[] {
  const message = isObject(line.wire.message) ? line.wire.message : {};
  const events = [
    ...startSession(state, line, message),
    ...(state.slashCommand ? [state.slashCommand] : []),
    ...state.calls.takeRejected({ hadBegun: false }),
  ];
  state.slashCommand = null;
  state.openSince ??= line.start;
  const blocks = blocksOf(message.content);
  const calls = blocksOfType(blocks, 'tool_use').filter((block) =>
    state.calls.start(block, originOf(state, line), state.lastAt, line.key),
  );
  // Text of a subagent between the session's lines is not the session's answer.
  const isOwn = state.origin.subagent !== undefined || line.wire.isSidechain !== true;
  if (isOwn) keepAnswer(state, line, message, textsOf(blocks));
  if (isOwn && calls.length > 0) state.answer = null;
  return events;
}

/** A message is written block by block, one line per block. */
function keepAnswer(state: ReaderState, line: Line, message: JsonObject, texts: string[]): void {
  if (texts.length === 0) return;
  const messageId = name(message.id);
  const { answer } = state;
  const earlier = answer && messageId !== undefined && answer.messageId === messageId ? answer.texts : [];
  const { isApiErrorMessage, error } = line.wire;
  state.answer = {
    messageId,
    texts: [...earlier, ...texts],
    origin: originOf(state, line),
    at: state.lastAt,
    key: line.key,
    isFinal: message.stop_reason === 'end_turn',
    ...(isApiErrorMessage === true && { error: name(error) ?? 'unknown' }),
  };
}

/** The model is known only from the first answer. */
function startSession(state: ReaderState, line: Line, message: JsonObject): TranscriptEvent[] {
  const model = name(message.model);
  if (state.hasStarted || line.isSubagent || model === undefined || model === '<synthetic>') return [];
  state.hasStarted = true;
  const { promptId: _, ...origin } = originOf(state, line);
  const event: AgentEvent = { kind: 'session-start', ...origin, source: 'unknown', model };
  const at = state.firstAt ?? state.lastAt;
  return [{ event, at, key: `${state.origin.sessionId}.start`, ...branchOf(line.wire) }];
}

export function endCalls(state: ReaderState, line: Line, results: JsonObject[]): TranscriptEvent[] {
  const isOnly = results.length === 1;
  return results
    .flatMap((result) => state.calls.end(result, line.wire, isOnly, originOf(state, line), state.lastAt))
    .map((ended) => ({ ...ended, ...branchOf(line.wire) }));
}

export function readInterruption(state: ReaderState, line: Line): TranscriptEvent[] {
  const rejected = state.calls.takeRejected({ hadBegun: line.wire.interruptedMessageId !== undefined });
  state.answer = null;
  const before = [...rejected, ...closeTurn(state)];
  if (line.isSubagent) return before;
  const why = { text: '', error: 'interrupted', continued: false };
  const ended = eventOf(state, line, { kind: 'turn-end', ...originOf(state, line), ...why });
  return [...before, { ...ended, key: `${ended.key}.turn-end` }];
}

/** Ends the turn and marks everything up to here as read. */
export function closeTurn(state: ReaderState): TranscriptEvent[] {
  state.openSince = null;
  return endTurn(state);
}

export function endTurn(state: ReaderState): TranscriptEvent[] {
  const { answer, calls, origin } = state;
  state.answer = null;
  state.slashCommand = null;
  return [
    ...calls.takeRejected({ hadBegun: false }),
    ...calls.cutOff(),
    ...(answer ? [answerEvent(origin, answer)] : []),
  ];
}

function answerEvent(
  { subagent }: TranscriptOrigin,
  { texts, origin, at, key, error }: TranscriptAnswer,
): TranscriptEvent {
  const text = texts.join('\n');
  const event: AgentEvent = subagent
    ? { kind: 'subagent-end', ...origin, text, transcriptOfSubagent: subagent.path }
    : { kind: 'turn-end', ...origin, text, ...(error && { error }), continued: false };
  return { event, at, key: `${key}.${event.kind}` };
}
