import type { AgentEvent, EventKind } from '../../model/agent-event.ts';
import type { HookReply } from '../../model/hook-reply.ts';

/** What a handler may ask. Each answer is fetched when it is asked for. */
export interface Memory {
  /** The text on recent sessions for this project, and how many it tells of. */
  recentSessions(): { text: string; count: number };
  /** Whether this is the first session that Cairn sees on this machine. */
  isFirstSession(): boolean;
  /** What is wrong and who can cure it, a line each. */
  troubles(): string[];
}

/** Pure: event in, reply out. */
export type Handler<K extends EventKind = EventKind> = (
  event: Extract<AgentEvent, { kind: K }>,
  memory: Memory,
) => HookReply;
