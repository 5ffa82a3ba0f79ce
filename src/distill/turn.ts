import type { FileTouch, Priority, ToolAction, ToolOutcome } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';

/** Everything known of one turn, or of one piece of a long one, in the order in which it happened. */
export interface Turn {
  /** The folder of the project, to shorten paths. */
  folder: string;
  branch?: string;
  /** What opened it; empty when the turn goes on after a compaction. */
  prompt: string;
  promptOrigin: 'person' | 'machine';
  /** What the person had asked before in this session, the latest last; tells what a short prompt refers to. */
  earlierPrompts: string[];
  /** The agent's last words of the turn before this one: what a correction corrects. */
  earlierWords: string;
  calls: TurnCall[];
  /** What the agent said before its closing words. */
  said: SaidWords[];
  /** Reports of subagents and summaries of compactions. */
  reports: string[];
  /** What a compaction left of the conversation, where there was one. */
  compaction?: string;
  /** The agent's closing words; empty when the turn was cut off. */
  closingWords: string;
  closedBy: 'turn-end' | 'prompt' | 'compaction' | 'session-end' | 'gap';
}

export interface SaidWords {
  text: string;
  /** How many calls came before it. */
  place: number;
}

export interface TurnCall {
  /** The event's id, for provenance. */
  event: number;
  tool: string;
  does: ToolAction;
  outcome: ToolOutcome;
  priority: Priority;
  command?: string;
  input: Json;
  response: Json;
  files: FileTouch[];
  /** The type of the subagent that made the call. */
  subagent?: string;
}
