import type { Json } from './json.ts';

/** A handler's reply, independent of the agent. An empty object means no reply. Our own handlers use `Framed`. */
export interface HookReply<Text extends string = string> {
  context?: Text;
  notice?: string;
  /** Blocks the action that is about to happen, or objects to the one that just happened. */
  block?: { reason: string };
  permission?: { decision: 'allow' | 'deny' | 'ask'; reason?: string; updatedInput?: Json };
  output?: Json;
}

/** The output of a hook process. */
export interface PrintedReply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
  /** Names of parts that this event does not support, for the log. */
  leftOut: string[];
}
