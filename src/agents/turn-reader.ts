import type { AgentEvent, EventOrigin } from '../model/agent-event.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import type { RecordSpan, TranscriptEvent, TranscriptOrigin, TranscriptReader } from './agent.ts';
import { timeOfRecord } from './json-lines.ts';

/**
 * For transcripts with one message in each line: a turn lasts from its prompt to the next one and ends with the model's
 * last words.
 */
export interface TurnState {
  origin: TranscriptOrigin;
  /** Calls without a result yet, by their id. */
  calls: Map<string, JsonObject>;
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number; origin: EventOrigin } | null;
  /** Where the open turn begins; null between turns. */
  openSince: number | null;
  lastAt: number;
}

type ReadLine = (state: TurnState, line: JsonObject, span: RecordSpan) => TranscriptEvent[];

export function createTurnReader(origin: TranscriptOrigin, readLine: ReadLine): TranscriptReader {
  const state: TurnState = { origin, calls: new Map(), answer: null, openSince: null, lastAt: 0 };
  let end = 0;
  return {
    read(record, span) {
      end = span.end;
      state.lastAt = timeOfRecord(record) ?? state.lastAt;
      return isObject(record) ? readLine(state, record, span) : [];
    },
    finish: (isOver) => (isOver ? endTurn(state) : []),
    isAnswered: () => state.answer !== null && state.calls.size === 0,
    settledOffset: () => state.openSince ?? end,
    lastAt: () => state.lastAt,
  };
}

/** The end of the turn before, and the prompt. */
export function beginTurn(
  state: TurnState,
  prompt: Extract<AgentEvent, { kind: 'prompt' }>,
  key: string,
  { start }: RecordSpan,
): TranscriptEvent[] {
  const before = endTurn(state);
  state.openSince = start;
  return [...before, { event: prompt, at: state.lastAt, key }];
}

function endTurn(state: TurnState): TranscriptEvent[] {
  const { answer } = state;
  state.openSince = null;
  state.answer = null;
  state.calls.clear();
  if (!answer) return [];
  const event: AgentEvent = { kind: 'turn-end', ...answer.origin, text: answer.text, continued: false };
  return [{ event, at: answer.at, key: `${answer.key}.turn-end` }];
}

/** Words of the model are the answer to the prompt unless it makes a call with them. */
export function noteAnswer(
  state: TurnState,
  { text, key, origin, hasCalls }: { text: string; key: string; origin: EventOrigin; hasCalls: boolean },
): void {
  state.answer = hasCalls || text === '' ? null : { text, key, at: state.lastAt, origin };
}

/** Of a call that was seen before its result. */
export function takeCall({ calls }: TurnState, id: string): JsonObject | undefined {
  const call = calls.get(id);
  calls.delete(id);
  return call;
}
