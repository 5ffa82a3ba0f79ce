import type { AgentEvent, EventOrigin } from '../../model/agent-event.ts';
import type { RecordSpan, TranscriptEvent, TranscriptOrigin } from '../agent.ts';
import { name, text } from '../dialect/wire.ts';
import { createOpenCalls, type OpenCalls } from './transcript-calls.ts';
import { timeOf, type WireLine } from './transcript-line.ts';

/** State of a transcript reader between lines. */
export interface ReaderState {
  origin: TranscriptOrigin;
  calls: OpenCalls;
  /** The agent's last text: its answer if the turn ends here. */
  answer: TranscriptAnswer | null;
  /** A slash command is a prompt only if the model answers it. */
  slashCommand: TranscriptEvent | null;
  /** From the last line that has one. */
  promptId: string | undefined;
  /** From the prompt that started the open turn. */
  turnPromptId: string | undefined;
  compactTrigger: string;
  hasStarted: boolean;
  firstAt: number | undefined;
  lastAt: number;
  /** Where the open turn begins; null between turns. */
  openSince: number | null;
  end: number;
}

export interface TranscriptAnswer {
  messageId: string | undefined;
  texts: string[];
  origin: EventOrigin;
  at: number;
  key: string;
  /** Whether the model ended its turn with this answer. */
  isFinal: boolean;
  error?: string;
}

/** A line with its position in the file. */
export interface Line {
  wire: WireLine;
  start: number;
  key: string;
  /** From a subagent: in its own file or, with older clients, between the session's lines. */
  isSubagent: boolean;
}

export function createState(origin: TranscriptOrigin): ReaderState {
  return {
    origin,
    calls: createOpenCalls(),
    answer: null,
    slashCommand: null,
    promptId: undefined,
    turnPromptId: undefined,
    compactTrigger: 'unknown',
    hasStarted: false,
    firstAt: undefined,
    lastAt: 0,
    openSince: null,
    end: 0,
  };
}

export function openLine(state: ReaderState, wire: WireLine, { start }: RecordSpan): Line {
  const at = timeOf(wire);
  state.lastAt = at ?? state.lastAt;
  state.firstAt ??= at;
  const { sessionId, subagent } = state.origin;
  const isSubagent = subagent !== undefined || wire.isSidechain === true;
  return { wire, start, key: name(wire.uuid) ?? `${sessionId}.${start}`, isSubagent };
}

export function originOf({ origin, promptId }: ReaderState, { wire, isSubagent }: Line): EventOrigin {
  const cwd = text(wire.cwd);
  const permissionMode = name(wire.permissionMode);
  const id = origin.subagent?.id ?? name(wire.agentId) ?? 'side';
  return {
    sessionId: origin.sessionId,
    ...(cwd !== undefined && { cwd }),
    transcriptPath: origin.path,
    ...(promptId !== undefined && { promptId }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(isSubagent && { subagent: { id, type: origin.subagent?.type ?? '' } }),
  };
}

export function branchOf({ gitBranch }: WireLine): { branch?: string } {
  const branch = text(gitBranch);
  return branch === undefined ? {} : { branch };
}

/** The event of a line, with the line's time and key. */
export function eventOf({ lastAt }: ReaderState, { key, wire }: Line, event: AgentEvent): TranscriptEvent {
  return { event, at: lastAt, key, ...branchOf(wire) };
}
