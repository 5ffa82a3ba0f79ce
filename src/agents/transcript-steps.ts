import type { AgentEvent, EventOrigin, ToolOutcome } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';
import type {
  AnswerPart,
  RecordSpan,
  TranscriptEvent,
  TranscriptOrigin,
  TranscriptReader,
  Transcripts,
} from './agent.ts';
import { toolEnd } from './dialect/events.ts';
import type { ToolTable } from './dialect/tools.ts';
import { timeOfRecord } from './json-lines.ts';

/** One step in a record of a conversation. A turn lasts from its prompt to the next prompt, or to an end. */
export type TranscriptStep =
  /** The session's folder and branch from here on. */
  | { kind: 'place'; folder?: string; branch?: string }
  | { kind: 'start'; model?: string }
  /** `id`: the prompt's id, if hooks report it. */
  | { kind: 'prompt'; text: string; origin: 'person' | 'machine'; id?: string }
  | { kind: 'words'; text: string }
  | { kind: 'call'; id: string; tool: string; input: Json }
  /** `at`: set if it differs from the time of the record. */
  | { kind: 'result'; id: string; outcome: ToolOutcome; response: Json; at?: number }
  /** A call and its result in one record, without an id. */
  | { kind: 'action'; tool: string; input: Json; outcome: ToolOutcome; response: Json }
  | { kind: 'end' };

/** The format of an agent's transcripts. No function throws, whatever the record contains. */
export interface StepFormat {
  tools: ToolTable;
  /** The steps of a record, in order, without those of subagents. */
  readSteps(record: Json): TranscriptStep[];
  /** The time of a record; by default its `timestamp`. */
  timeOf?(record: Json): number | undefined;
  /** The time of the session's last activity, if records have no times. */
  timeOfFile?(path: string): number;
  /** The record's own id, stable in copies of the file. */
  idOf(record: Json): string | undefined;
  /**
   * Which calls keep their id: all, if hooks report it; failed ones, if hooks report only the others; none, if hooks
   * report calls without an id. A call without an id counts as reported in a session with hooks.
   */
  callIds: 'all' | 'failures' | 'none';
  /** Set if the outcome of a call depends on its tool. */
  outcomeOf?(tool: string, result: CallResult): ToolOutcome;
}

type CallResult = Extract<TranscriptStep, { kind: 'result' }>;

type StepTranscripts = Pick<Transcripts, 'timeOf' | 'createReader' | 'readAnswer'>;

export function readBySteps(format: StepFormat): StepTranscripts {
  return {
    timeOf: format.timeOf ?? timeOfRecord,
    createReader: (origin) => createStepReader(origin, format),
    readAnswer: (record) => format.readSteps(record).flatMap((step) => answerPart(format, step)),
  };
}

function answerPart({ callIds }: StepFormat, step: TranscriptStep): AnswerPart[] {
  if (step.kind === 'words') return [{ text: step.text }];
  // Machines also send prompts within a turn.
  if (step.kind === 'prompt') return step.origin === 'person' ? [{ prompt: step.id ?? null }] : [];
  return step.kind === 'call' && callIds === 'all' ? [{ callId: step.id }] : [];
}

interface ReaderState {
  format: StepFormat;
  origin: EventOrigin;
  /** Set if the file is a subagent's. */
  subagent: TranscriptOrigin['subagent'];
  branch: string | undefined;
  /** Calls without a result yet, by their id. */
  calls: Map<string, Extract<TranscriptStep, { kind: 'call' }>>;
  /** Some agents write a message again when its calls have ended. */
  endedCalls: Set<string>;
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number; origin: EventOrigin } | null;
  /** Where the open turn begins; null between turns. */
  openSince: number | null;
  end: number;
  lastAt: number;
}

function createStepReader(
  { sessionId, path, subagent }: TranscriptOrigin,
  format: StepFormat,
): TranscriptReader {
  const { timeOf = timeOfRecord } = format;
  const state: ReaderState = {
    format,
    origin: {
      sessionId,
      transcriptPath: path,
      ...(subagent && { subagent: { id: subagent.id, type: subagent.type } }),
    },
    subagent,
    branch: undefined,
    calls: new Map(),
    endedCalls: new Set(),
    answer: null,
    openSince: null,
    end: 0,
    lastAt: format.timeOfFile?.(path) ?? 0,
  };
  return {
    read(record, span) {
      state.end = span.end;
      state.lastAt = timeOf(record) ?? state.lastAt;
      const key = format.idOf(record) ?? `${sessionId}.${span.start}`;
      return format.readSteps(record).flatMap((step) => takeStep(state, step, key, span));
    },
    finish: (isOver) => (isOver ? endTurn(state) : []),
    isAnswered: () => state.answer !== null && state.calls.size === 0,
    settledOffset: () => state.openSince ?? state.end,
    lastAt: () => state.lastAt,
  };
}

function takeStep(
  state: ReaderState,
  step: TranscriptStep,
  key: string,
  span: RecordSpan,
): TranscriptEvent[] {
  const { origin, lastAt: at } = state;
  switch (step.kind) {
    case 'place':
      if (step.folder !== undefined) state.origin = { ...origin, cwd: step.folder };
      state.branch = step.branch ?? state.branch;
      return [];
    case 'start': {
      if (state.subagent) return [];
      const model = step.model === undefined ? {} : { model: step.model };
      return [createEvent(state, { ...origin, kind: 'session-start', source: 'unknown', ...model }, key, at)];
    }
    case 'prompt': {
      const { id, ...prompt } = step;
      const before = endTurn(state);
      state.openSince = span.start;
      // A subagent's prompt is written by the agent; it is also in the call that started the subagent.
      if (state.subagent) return before;
      const event = { ...state.origin, ...(id !== undefined && { promptId: id }), ...prompt };
      return [...before, createEvent(state, event, key, at)];
    }
    case 'words':
      state.answer = { text: step.text, key, at, origin };
      return [];
    case 'call':
      if (!state.endedCalls.has(step.id)) state.calls.set(step.id, step);
      state.answer = null;
      return [];
    case 'result':
      return endCall(state, step);
    case 'action': {
      const wire = { tool_name: step.tool, tool_input: step.input };
      state.answer = null;
      return [createEvent(state, toolEnd(wire, origin, state.format.tools, step), key, at)];
    }
    case 'end':
      return endTurn(state);
  }
}

function endCall(state: ReaderState, result: CallResult): TranscriptEvent[] {
  const { format, origin, calls } = state;
  const { id, response, at = state.lastAt } = result;
  const call = calls.get(id);
  if (!call) return [];
  calls.delete(id);
  state.endedCalls.add(id);
  const outcome = format.outcomeOf?.(call.tool, result) ?? result.outcome;
  const keepsId = format.callIds === 'all' || (format.callIds === 'failures' && outcome === 'failure');
  const wire = {
    tool_name: call.tool,
    ...(keepsId && { tool_use_id: id }),
    tool_input: call.input,
    tool_response: response,
  };
  const event = toolEnd(wire, origin, format.tools, { outcome, response });
  return [createEvent(state, event, `${origin.sessionId}.${id}`, at)];
}

function endTurn(state: ReaderState): TranscriptEvent[] {
  const { answer } = state;
  state.openSince = null;
  state.answer = null;
  state.calls.clear();
  if (!answer) return [];
  const { text, origin } = answer;
  const event: AgentEvent = state.subagent
    ? { kind: 'subagent-end', ...origin, text, transcriptOfSubagent: state.subagent.path }
    : { kind: 'turn-end', ...origin, text, continued: false };
  return [createEvent(state, event, `${answer.key}.turn-end`, answer.at)];
}

function createEvent({ branch }: ReaderState, event: AgentEvent, key: string, at: number): TranscriptEvent {
  return { event, at, key, ...(branch !== undefined && { branch }) };
}
