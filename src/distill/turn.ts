import type { FileTouch, Priority, ToolAction, ToolOutcome } from '../model/agent-event.ts';
import type { Json } from '../model/json.ts';

/** One turn, or one piece of a long one, in order. */
export interface Turn {
  /** The project folder, to shorten paths. */
  folder: string;
  branch?: string;
  /** Empty if the turn continues after a compaction. */
  prompt: string;
  promptOrigin: 'person' | 'machine';
  /** Earlier prompts of the session, latest last; they explain what a short prompt refers to. */
  earlierPrompts: string[];
  /** The agent's final message of the previous turn: what a correction corrects. */
  earlierWords: string;
  calls: TurnCall[];
  /** What git says changed in the turn, from `folder`; empty if no call could write unseen, or git was not asked. */
  changedFiles: string[];
  /** What the agent said before its closing words. */
  said: SaidWords[];
  /** Reports of subagents and summaries of compactions. */
  reports: string[];
  compaction?: string;
  /** The agent's final message; empty if the turn was cut off. */
  closingWords: string;
  closedBy: 'turn-end' | 'prompt' | 'compaction' | 'session-end' | 'gap';
}

export interface SaidWords {
  text: string;
  /** How many calls came before it. */
  place: number;
}

export interface TurnCall {
  event: number;
  tool: string;
  does: ToolAction;
  outcome: ToolOutcome;
  priority: Priority;
  command?: string;
  input: Json;
  response: Json;
  files: FileTouch[];
  subagent?: string;
}
