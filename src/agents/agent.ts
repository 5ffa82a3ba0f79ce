import type { AgentEvent, ToolOutcome } from '../model/agent-event.ts';
import type { HookReply, PrintedReply } from '../model/hook-reply.ts';
import type { Json } from '../model/json.ts';
import type { WorkSign } from '../model/work.ts';

/** What the rest of Cairn may know of an agent. Adapters are pure: no streams, no files, no clock. */
export interface Agent {
  id: string;
  name: string;
  /** Whether `cairn install` connects it; other programs call `cairn hook` by themselves. */
  isInstallable: boolean;
  /** The most characters of context that it takes from one hook. */
  longestContext: number;
  /** What its payload means to us. Several for a list of calls; none when it is not ours. Never throws. */
  toEvents(eventName: string, payload: Json): AgentEvent[];
  /** The reply in the agent's own form, only with fields which this event accepts. Never throws. */
  print(eventName: string, reply: HookReply): PrintedReply;
  /** Whether exit 2 with stderr tells the model something at this event and swallows nothing. */
  blockIsFeedback(eventName: string): boolean;
  /** By what its own program speaks to its model; stored text must not carry it in live form. */
  controlMarks: ControlMarks;
  /** What the last answer took of the window, from the end of the session's transcript. */
  lastUsage(transcriptTail: string): Usage | null;
  /** How many tokens a model's window holds; null where nobody knows. */
  windowOf(model: string): number | null;
  /** The tools by which it plans and keeps its tasks. */
  workTools: string[];
  /** What a call of one of them says. Never throws. */
  workSigns(call: WorkToolCall): WorkSign[];
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
