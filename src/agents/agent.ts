import type { AgentEvent, ToolOutcome } from '../model/agent-event.ts';
import type { HookReply, PrintedReply } from '../model/hook-reply.ts';
import type { Json } from '../model/json.ts';
import type { WorkReport } from '../model/work.ts';

/** The contract between an agent and the rest of Cairn. Adapters are pure: no streams, no files, no clock. */
export interface Agent {
  id: string;
  name: string;
  hooks: HookRouting;
  /** Where the agent keeps its settings; absent if it has none of its own. */
  configFolder?(home: AgentHome): string;
  /** When the agent accepts context for the model. */
  context: ContextMoments;
  /** Maximum characters of context per hook. */
  longestContext: number;
  /** The person does not see messages from hooks. */
  hidesNotices?: true;
  /**
   * Fields that its payloads had when the adapter was written, used or not: any other field means that the client has
   * changed. Absent where Cairn itself makes the payloads.
   */
  knownFields?: readonly string[];
  /** Converts a payload to events: several for a batch of calls, none if Cairn ignores it. Never throws. */
  toEvents(eventName: string, payload: Json): AgentEvent[];
  /**
   * Formats the reply with only the fields that this event accepts. Some replies repeat a part of the payload. Never
   * throws.
   */
  print(eventName: string, reply: HookReply, payload?: Json): PrintedReply;
  /** Whether exit 2 passes stderr to the model at this event without suppressing anything. */
  blockIsFeedback(eventName: string): boolean;
  /** Name of the instructions file that the agent reads in each folder. */
  instructionsFile: 'CLAUDE.md' | 'AGENTS.md';
  /** Name of its MCP client if that client shows the model only the structured part of an answer. */
  structuredMcpClient?: string;
  /** Marks that the agent's program uses in the conversation; stored text must not contain them unchanged. */
  controlMarks: ControlMarks;
  /** Tokens that the last answer used, read from the end of the transcript. */
  lastUsage(transcriptTail: string): ContextUsage | null;
  /** Size of a model's context window in tokens; null if unknown. */
  windowOf(model: string): number | null;
  /** The tools for plans and tasks. */
  workTools: string[];
  /** Reads plan and tasks from a call of one of them. Never throws. */
  findWorkReports(call: WorkToolCall): WorkReport[];
  /** Absent if Cairn cannot read the agent's sessions from disk. */
  transcripts?: Transcripts;
  memoryFiles?: MemoryFiles;
}

/**
 * What the shell script of the hooks (`capture.sh`) needs to know: it records every event, and only some need more.
 * Events have the agent's names. An agent without hooks has none.
 */
export interface HookRouting {
  /** Variable that the agent sets in its hooks and in the shells that it runs. */
  marker?: string;
  /** Variable with the id of the session. */
  session?: string;
  /** Other agents also run these hooks, without this marker and with their own marker set. */
  areSharedWithOthers?: true;
  /** Events that get a reply from node. */
  answered: string[];
  /** Prompt events, which get a reply unless there are no memories for prompts. */
  prompts: string[];
  /** Events that only repeat what another hook reports: they may get a reply and are not stored. */
  repeats?: string[];
  /** Events before a file is read: a reply if there are memories about it. The payload has `"file_path":"…"`. */
  reads: string[];
  /** Events after which the worker has something to do. */
  ends: string[];
  /** Whether the agent shows `{"systemMessage": "…"}` to the person. */
  showsSystemMessage: boolean;
  /** Registered events at which it does not accept such a message. */
  withoutMessages?: string[];
}

export interface ContextMoments {
  /** If not, the start context is given with the session's first prompt. */
  start: boolean;
  /** The agent sometimes loses the start context, so it is given again with the first prompt. */
  startMayBeLost?: true;
  prompt: boolean;
  /** Before a file is read. */
  read: boolean;
  /** After a tool call. */
  tool: boolean;
}

/** An agent whose sessions can be read from disk. */
export type TranscriptAgent = Agent & { transcripts: Transcripts };

/**
 * How to find and read an agent's own record of its sessions, for events that hooks did not report and for past
 * sessions. A transcript is a list of records, such as lines of JSON, that only grows at its end; an offset is a
 * position in it.
 */
export interface Transcripts {
  folder(home: AgentHome): string;
  /** Every session in that folder, unordered. */
  findAll(folder: string): SessionTranscripts[];
  /** The project folders in which those sessions worked. */
  findProjectFolders(folder: string): string[];
  /** The files of one session, by the transcript path that a hook reported. */
  findSession(path: string, sessionId: string): SessionTranscripts;
  /** The transcript of a session, if the agent's hooks do not report its path. */
  findPath?(folder: string, sessionId: string): string | undefined;
  /** When a session began and in which folder, from the file's first bytes. Throws if it cannot be read. */
  readOpening(path: string): TranscriptOpening;
  readRecords(path: string, offset: number): Iterable<TranscriptRecord>;
  /** Whether a record begins at this offset; if not, the file was replaced. */
  isRecordStart(path: string, offset: number): boolean;
  /** When a record was written, if it has a time. */
  timeOf(record: Json): number | undefined;
  createReader(origin: TranscriptOrigin): TranscriptReader;
  /** Words and calls of the session's own agent in a record, and prompts, in order; without those of subagents. */
  readAnswer(record: Json): AnswerPart[];
}

/** A piece of an answer: words, or a call by the agent's id for it. */
export type AnswerPart =
  | { text: string }
  | { callId: string }
  /** A prompt that starts a turn; `prompt` is its id, if hooks report the same. */
  | { prompt: string | null };

/** Markdown files in which an agent stores its own notes about a project. */
export interface MemoryFiles {
  folder(home: AgentHome): string;
  /** Every notes folder, with the folder of its project; null if that is not on this machine. */
  findAll(folder: string): { notes: string; project: string | null }[];
}

/** Where agents keep their files. */
export interface AgentHome {
  userHome: string;
  /** An environment variable: some of them move an agent's folder. */
  variable(name: string): string | undefined;
}

export interface SessionTranscripts {
  sessionId: string;
  /** Several files if the session changed its folder or had subagents; its own come first. */
  files: TranscriptFile[];
}

export interface TranscriptFile {
  path: string;
  size: number;
  changedAt: number;
  subagent?: { id: string; type: string; isFinished: boolean };
}

export interface TranscriptOpening {
  at?: number;
  folder?: string;
}

/** The position of a record in its file: `end` is where the next one begins. */
export interface RecordSpan {
  start: number;
  end: number;
}

/** A record, or where and why it cannot be read. */
export type TranscriptRecord = RecordSpan & ({ value: Json } | { where: string; problem: string });

/** Which session and subagent a file belongs to. */
export interface TranscriptOrigin {
  sessionId: string;
  /** The session's own transcript, even if the file is a subagent's. */
  path: string;
  subagent?: { id: string; type: string; path: string };
}

/** Turns one file's records, in order, into events. An event is returned once it is complete. */
export interface TranscriptReader {
  read(record: Json, span: RecordSpan): TranscriptEvent[];
  /** To be called after the last record. `isOver`: the session has ended, so incomplete calls were cut off. */
  finish(isOver: boolean): TranscriptEvent[];
  /** Whether the last turn has its final answer. */
  isAnswered(): boolean;
  /** Where to continue next time: everything before it is complete. */
  settledOffset(): number;
  lastAt(): number;
}

/**
 * An event from a transcript. It is the same as a hook's event if its ids (of the prompt, the call or the subagent)
 * are the same. Without such an id, a session with hooks counts as having reported it.
 */
export interface TranscriptEvent {
  event: AgentEvent;
  at: number;
  /** Stable across repeated reads and copies of the file. */
  key: string;
  branch?: string;
}

/** Text with a special meaning in a conversation. src/framing neutralises it wherever stored text is shown. */
export interface ControlMarks {
  /** Tag names, case-insensitive: `system-reminder`. A `*` at the end matches any ending. */
  tags: readonly string[];
  /** Names that start a turn at the beginning of a line, before a colon: `Human`. */
  speakers: readonly string[];
  /** Other literal openings: `[Request interrupted by user`. */
  phrases: readonly string[];
}

/** A captured call; `kind` is that of its event. */
export interface WorkToolCall {
  kind: string;
  tool: string;
  input: Json;
  response: Json;
  outcome: ToolOutcome | null;
}

export interface ContextUsage {
  tokens: number;
  model: string;
  /** Size of the window in tokens, if the transcript has it. */
  window?: number;
}
