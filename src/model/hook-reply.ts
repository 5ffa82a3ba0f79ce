import type { Json } from './json.ts';

/** What a handler wants to say, in no agent's words. An empty reply says nothing. `Framed` is what our own handlers may give. */
export interface HookReply<Text extends string = string> {
  /** For the model. */
  context?: Text;
  /** For the person, one or a few lines. */
  notice?: string;
  /** Stop what is about to happen, or object to what just did. */
  block?: { reason: string };
  permission?: { decision: 'allow' | 'deny' | 'ask'; reason?: string; updatedInput?: Json };
  /** Replaces the tool's output. */
  output?: Json;
}

/** A reply as one agent's hook process has to put it: the only thing that reaches its streams. */
export interface PrintedReply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
  /** What this event cannot carry and so was left out; goes to the log. */
  leftOut: string[];
}
