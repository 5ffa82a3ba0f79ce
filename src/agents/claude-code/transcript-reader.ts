import { isObject } from '../../model/json.ts';
import type { TranscriptEvent, TranscriptOrigin, TranscriptReader } from '../agent.ts';
import { name } from '../dialect/wire.ts';
import { blocksOf, blocksOfType, isInterruption, summaryIn, textsOf, triggerIn } from './transcript-line.ts';
import { readPrompt, readQueuedPrompt } from './transcript-prompts.ts';
import { createState, eventOf, type Line, openLine, originOf, type ReaderState } from './transcript-state.ts';
import { closeTurn, endCalls, endTurn, readInterruption, readModelAnswer } from './transcript-turns.ts';

export function createTranscriptReader(origin: TranscriptOrigin): TranscriptReader {
  const state = createState(origin);
  return {
    read(record, span) {
      state.end = span.end;
      return isObject(record) ? readLine(state, openLine(state, record, span)) : [];
    },
    finish: (isOver) => (isOver ? finish(state) : []),
    isAnswered: () => state.answer?.isFinal === true && !state.calls.isAnyOpen(),
    settledOffset: () => state.openSince ?? state.end,
    lastAt: () => state.lastAt,
  };
}

function readLine(state: ReaderState, line: Line): TranscriptEvent[] {
  switch (line.wire.type) {
    case 'user':
      return readUserLine(state, line);
    case 'assistant':
      return readModelAnswer(state, line);
    case 'system':
      return readSystemLine(state, line);
    case 'attachment':
      return readQueuedPrompt(state, line);
    default:
      return [];
  }
}

/** Results of tools, an interruption, the summary of a compaction, or a prompt. */
function readUserLine(state: ReaderState, line: Line): TranscriptEvent[] {
  const { wire, isSubagent } = line;
  state.promptId = name(wire.promptId) ?? state.promptId;
  if (wire.isMeta === true) return [];
  const blocks = blocksOf(isObject(wire.message) ? wire.message.content : undefined);
  const texts = textsOf(blocks);
  if (wire.isCompactSummary === true) return isSubagent ? [] : [readCompaction(state, line, texts)];
  if (wire.isVisibleInTranscriptOnly === true) return [];
  const results = blocksOfType(blocks, 'tool_result');
  const ended = endCalls(state, line, results);
  if (isInterruption(texts)) return [...ended, ...readInterruption(state, line)];
  const isPrompt = results.length === 0 && texts.length > 0 && !isSubagent;
  return isPrompt ? readPrompt(state, line, texts) : ended;
}

function readCompaction(state: ReaderState, line: Line, texts: string[]): TranscriptEvent {
  const summary = summaryIn(texts.join('\n'));
  const trigger = state.compactTrigger;
  return eventOf(state, line, { kind: 'compact-end', ...originOf(state, line), trigger, summary });
}

function readSystemLine(state: ReaderState, { wire, isSubagent }: Line): TranscriptEvent[] {
  if (wire.subtype === 'compact_boundary')
    state.compactTrigger = triggerIn(wire.compactMetadata) ?? state.compactTrigger;
  return wire.subtype === 'turn_duration' && !isSubagent ? closeTurn(state) : [];
}

/** A call without a result keeps its turn open: the result may follow if the session is resumed. */
function finish(state: ReaderState): TranscriptEvent[] {
  return state.calls.isAnyOpen() ? endTurn(state) : closeTurn(state);
}
