import type { Json } from './json.ts';

/** A handler's reply, independent of the agent. An empty reply says nothing. Our own handlers use `Framed`. */
export interface HookReply<Text extends string = string> {
  context?: Text;
  notice?: string;
  /** Blocks what is about to happen, or objects to what just happened. */
  block?: { reason: string };
  permission?: { decision: 'allow' | 'deny' | 'ask'; reason?: string; updatedInput?: Json };
  output?: Json;
}

/** A reply as the agent's hook process prints it. */
export interface PrintedReply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
  /** Parts that this event does not support, for the log. */
  leftOut: string[];
}
