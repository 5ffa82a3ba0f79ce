import type { Context } from '../../context/context.ts';
import type { AgentEvent, EventKind } from '../../model/agent-event.ts';
import type { Framed } from '../../model/framed.ts';
import type { HookReply } from '../../model/hook-reply.ts';

/** What a handler may request. Each answer is built on request; memories in it are recorded as given. */
export interface Answers {
  buildStartContext(source: string): Context & { work?: string | undefined };
  /** True for the prompt that gets the context of its session's start. */
  claimStartWithPrompt(): boolean;
  buildPromptContext(text: string): Context & { joined?: string };
  buildCompactionList(): Framed;
  buildFileContext(path: string): Context;
  /** True once, for the first session on this machine. */
  claimFirstSession(): boolean;
  /** Problems and their fixes, one per line. */
  findProblems(): string[];
}

/** Event in, reply out: every effect is behind a method of `Answers`. */
export type Handler<K extends EventKind = EventKind> = (
  event: Extract<AgentEvent, { kind: K }>,
  answers: Answers,
) => HookReply<Framed>;
