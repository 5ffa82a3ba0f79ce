import type { AgentEvent, ToolOutcome } from '../model/agent-event.ts';
import type { HookReply, PrintedReply } from '../model/hook-reply.ts';
import type { Json } from '../model/json.ts';
import type { WorkReport } from '../model/work.ts';

/** What the rest of Cairn may know of an agent. Adapters are pure: no streams, no files, no clock. */
export interface Agent {
  id: string;
  name: string;
  /** The most characters of context that it takes from one hook. */
  longestContext: number;
  /** What its payload means to us. Several for a list of calls; none when it is not ours. Never throws. */
  toEvents(eventName: string, payload: Json): AgentEvent[];
  /** The reply in the agent's own form, only with fields which this event accepts. Never throws. */
  print(eventName: string, reply: HookReply): PrintedReply;
  /** Whether exit 2 with stderr tells the model something at this event and swallows nothing. */
  blockIsFeedback(eventName: string): boolean;
  /** The file of instructions that it reads in each folder. */
  instructionsFile: 'CLAUDE.md' | 'AGENTS.md';
  /** What its MCP client calls itself, if it shows the model only the structured part of an answer, not the text. */
  structuredMcpClient?: string;
  /** By what its own program speaks to its model; stored text must not carry it in live form. */
  controlMarks: ControlMarks;
  /** What the last answer took of the window, from the end of the session's transcript. */
  lastUsage(transcriptTail: string): Usage | null;
  /** How many tokens a model's window holds; null if unknown. */
  windowOf(model: string): number | null;
  /** The tools by which it plans and keeps its tasks. */
  workTools: string[];
  /** What a call of one of them says. Never throws. */
  workSigns(call: WorkToolCall): WorkReport[];
  /** The sessions that it keeps on disk; absent where it keeps none that Cairn can read. */
  transcripts?: Transcripts;
  /** The notes that it writes for itself. */
  memoryFiles?: MemoryFiles;
}

/** An agent whose sessions can be read from disk. */
export type TranscriptAgent = Agent & { transcripts: Transcripts };

/**
 * How to find and read an agent's own record of its sessions: for what hooks did not report, and for past sessions.
 * A transcript is a list of records, such as lines of JSON, that only grows at its end; an offset names a place in it.
 */
export interface Transcripts {
  /** The folder that holds all of them. */
  folder(home: AgentHome): string;
  /** Every session in that folder, in no order. */
  findAll(folder: string): SessionTranscripts[];
  /** The project folders in which those sessions worked. */
  findProjectFolders(folder: string): string[];
  /** The files of one session, by the transcript path that a hook reported. */
  findSession(path: string, sessionId: string): SessionTranscripts;
  /** When a session began and in which folder, from the file's first bytes. Throws if it cannot be read. */
  readOpening(path: string): TranscriptOpening;
  readRecords(path: string, offset: number): Iterable<TranscriptRecord>;
  /** Whether a record begins at this offset; it does not if the file was replaced by another. */
  isRecordStart(path: string, offset: number): boolean;
  /** When a record was written, if it says so. */
  timeOf(record: Json): number | undefined;
  createReader(origin: TranscriptOrigin): TranscriptReader;
}

/** Markdown files in which an agent keeps what it wants to remember of a project. */
export interface MemoryFiles {
  /** The folder that holds those of all projects. */
  folder(home: AgentHome): string;
  /** Every folder of notes in there, with the folder of its project; null if that is not on this machine. */
  findAll(folder: string): { notes: string; project: string | null }[];
}

/** Where agents keep their files. */
export interface AgentHome {
  userHome: string;
  claudeConfigDir?: string;
}

export interface SessionTranscripts {
  sessionId: string;
  /** Several where the session moved to another folder or had subagents; its own come first. */
  files: TranscriptFile[];
}

/** What the session itself did, or what one of its subagents did. */
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

/** Where a record is in its file: `end` is where the next one begins. */
export interface RecordSpan {
  start: number;
  end: number;
}

/** A record, or where and why it cannot be read. */
export type TranscriptRecord = RecordSpan & ({ value: Json } | { where: string; problem: string });

/** Which session and subagent a file belongs to. */
export interface TranscriptOrigin {
  sessionId: string;
  /** The session's own transcript, also where the file is a subagent's. */
  path: string;
  subagent?: { id: string; type: string; path: string };
}

/** Turns one file's records, in order, into events. An event comes once it is complete. */
export interface TranscriptReader {
  read(record: Json, span: RecordSpan): TranscriptEvent[];
  /** Call it after the last record. `isOver`: no more will be written, so what is not complete was cut off. */
  finish(isOver: boolean): TranscriptEvent[];
  /** Whether the last turn has its final answer. */
  isAnswered(): boolean;
  /** Where to read on next time: everything before it is complete. */
  settledOffset(): number;
  /** When the last record was written. */
  lastAt(): number;
}

/**
 * An event that a transcript reports. It is the event of a hook if the ids in it are: of the prompt, the call or the
 * subagent. Without such an id, a session with hooks is taken to have reported it.
 */
export interface TranscriptEvent {
  event: AgentEvent;
  at: number;
  /** The same however often it is read, and from whichever copy of the file. */
  key: string;
  branch?: string;
}

/** Text with a meaning of its own in a conversation. src/framing neutralises it wherever stored text is shown. */
export interface ControlMarks {
  /** Names of tags, in any case: `system-reminder`. A `*` at the end stands for any ending. */
  tags: readonly string[];
  /** Names before a colon at the start of a line that begin a turn: `Human`. */
  speakers: readonly string[];
  /** Other openings, as they are written: `[Request interrupted by user`. */
  phrases: readonly string[];
}

/** A call as it was captured: `kind` is that of its event. */
export interface WorkToolCall {
  kind: string;
  tool: string;
  input: Json;
  response: Json;
  outcome: ToolOutcome | null;
}

export interface Usage {
  tokens: number;
  model: string;
}
