import * as z from 'zod/mini';
import { count, id, nullableText, nullableTime, texts, time } from './basics.ts';

export const session = z.object({
  id,
  agent: z.string(),
  agentSession: z.string(),
  project: z.string(),
  projectId: z.nullable(id),
  worktree: nullableText,
  branch: nullableText,
  model: nullableText,
  startSource: nullableText,
  endReason: nullableText,
  firstSeen: time,
  lastSeen: time,
  endedAt: nullableTime,
  prompts: count,
  events: count,
  firstPrompt: nullableText,
  lastPrompt: nullableText,
  closingWords: nullableText,
  changedFiles: texts,
});

export const turn = z.object({
  id,
  sessionId: id,
  prompt: z.nullable(count),
  /** The person's request; null if it is private or no hook reported it. */
  request: nullableText,
  openedAt: time,
  lastAt: time,
  closedAt: nullableTime,
  closedBy: nullableText,
  distilledAt: nullableTime,
  distiller: nullableText,
  events: count,
  memories: z.array(id),
});

export const event = z.object({
  id,
  at: time,
  kind: z.string(),
  prompt: z.nullable(count),
  tool: nullableText,
  does: nullableText,
  callId: nullableText,
  outcome: nullableText,
  subagent: nullableText,
  priority: z.string(),
  durationMs: z.nullable(count),
  /** Null once the raw event was deleted. */
  input: z.unknown(),
  response: z.unknown(),
  text: nullableText,
  files: z.array(z.object({ path: z.string(), how: z.string() })),
  spoolName: z.string(),
});
