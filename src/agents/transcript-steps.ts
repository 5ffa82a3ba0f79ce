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

/** One thing that a record of a conversation tells. `folder`: where the session works from here on. */
export type TranscriptStep =
  | { kind: 'folder'; path: string }
  | { kind: 'prompt'; text: string; origin: 'person' | 'machine' }
  | { kind: 'words'; text: string }
  | { kind: 'call'; id: string; tool: string; input: Json }
  | { kind: 'result'; id: string; outcome: ToolOutcome; response: Json };

/** How an agent writes down a conversation. Nothing here throws, whatever a record is. */
export interface StepFormat {
  tools: ToolTable;
  /** The steps of a record, in order; nothing of subagents. */
  readSteps(record: Json): TranscriptStep[];
  timeOf(record: Json): number | undefined;
  /** The record's own id, stable in copies of the file. */
  idOf(record: Json): string | undefined;
}

type StepTranscripts = Pick<Transcripts, 'timeOf' | 'createReader' | 'readAnswer'>;

/**
 * For transcripts in which calls have the ids that hooks report. Prompts have none, so in a session with hooks they
 * count as reported.
 */
export function readBySteps(format: StepFormat): StepTranscripts {
  return {
    timeOf: format.timeOf,
    createReader: (origin) => createStepReader(origin, format),
    readAnswer: (record) => format.readSteps(record).flatMap(answerPart),
  };
}

function answerPart(step: TranscriptStep): AnswerPart[] {
  if (step.kind === 'words') return [{ text: step.text }];
  return step.kind === 'call' ? [{ callId: step.id }] : [];
}

interface ReaderState {
  format: StepFormat;
  origin: EventOrigin;
  /** Calls without a result yet, by their id. */
  calls: Map<string, Extract<TranscriptStep, { kind: 'call' }>>;
  /** The model's last words, if no call followed them. */
  answer: { text: string; key: string; at: number; origin: EventOrigin } | null;
  openSince: number | null;
  end: number;
  lastAt: number;
}

function createStepReader({ sessionId, path }: TranscriptOrigin, format: StepFormat): TranscriptReader {
  const state: ReaderState = {
    format,
    origin: { sessionId, transcriptPath: path },
    calls: new Map(),
    answer: null,
    openSince: null,
    end: 0,
    lastAt: 0,
  };
  return {
    read(record, span) {
      state.end = span.end;
      state.lastAt = format.timeOf(record) ?? state.lastAt;
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
    case 'folder':
      state.origin = { ...origin, cwd: step.path };
      return [];
    case 'prompt': {
      const before = endTurn(state);
      state.openSince = span.start;
      return [...before, { event: { ...origin, ...step }, at, key }];
    }
    case 'words':
      state.answer = { text: step.text, key, at, origin };
      return [];
    case 'call':
      state.calls.set(step.id, step);
      state.answer = null;
      return [];
    case 'result':
      return endCall(state, step);
  }
}

function endCall(
  { format, origin, calls, lastAt: at }: ReaderState,
  { id, outcome, response }: Extract<TranscriptStep, { kind: 'result' }>,
): TranscriptEvent[] {
  const call = calls.get(id);
  if (!call) return [];
  calls.delete(id);
  const wire = { tool_name: call.tool, tool_use_id: id, tool_input: call.input, tool_response: response };
  const event = toolEnd(wire, origin, format.tools, { outcome, response });
  return [{ event, at, key: `${origin.sessionId}.${id}` }];
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
