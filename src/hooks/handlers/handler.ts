import type { Context } from '../../context/context.ts';
import type { AgentEvent, EventKind } from '../../model/agent-event.ts';
import type { Framed } from '../../model/framed.ts';
import type { HookReply } from '../../model/hook-reply.ts';

/** What a handler may ask. Each answer is made when it is asked for; what is given is recorded as given. */
export interface Answers {
  /** What a session is given when it begins, for whatever reason it does. */
  buildStartContext(source: string): Context & { work?: string | undefined };
  /** What is given with a prompt of the person. */
  buildPromptContext(text: string): Context & { joined?: string };
  /** What the model that compacts this session's conversation is told to keep. */
  buildCompactionList(): Framed;
  /** What is given before this file is read. */
  buildFileContext(path: string): Context;
  /** True once, for the first session that Cairn sees on this machine. */
  claimFirstSession(): boolean;
  /** What is wrong and how to fix it, a line each. */
  findProblems(): string[];
}

/** Event in, reply out: every effect is behind a method of `Answers`. */
export type Handler<K extends EventKind = EventKind> = (
  event: Extract<AgentEvent, { kind: K }>,
  answers: Answers,
) => HookReply<Framed>;
