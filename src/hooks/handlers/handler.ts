import type { Context } from '../../context/context.ts';
import type { AgentEvent, EventKind } from '../../model/agent-event.ts';
import type { Framed } from '../../model/framed.ts';
import type { HookReply } from '../../model/hook-reply.ts';

/** What a handler may ask. Each answer is fetched when it is asked for. */
export interface Memory {
  /** What a session is given when it begins, for whatever reason it does. */
  forStart(source: string): Context & { work?: string | undefined };
  /** What is given with a prompt of the person. */
  forPrompt(text: string): Context;
  /** What whoever compacts this session's conversation is told to keep. */
  forCompaction(): Framed;
  /** What is given to somebody who is about to read this file. */
  forFile(path: string): Context;
  /** Whether this is the first session that Cairn sees on this machine. */
  isFirstSession(): boolean;
  /** What is wrong and who can cure it, a line each. */
  troubles(): string[];
}

/** Pure: event in, reply out. */
export type Handler<K extends EventKind = EventKind> = (
  event: Extract<AgentEvent, { kind: K }>,
  memory: Memory,
) => HookReply<Framed>;
