import * as z from 'zod/mini';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { count, id, nullableText, nullableTime, texts, time } from './basics.ts';

export const kind = z.enum(['observation', 'summary', 'note']);
export const type = z.enum(OBSERVATION_TYPES);
export const scope = z.enum(['project', 'global']);

export const summaryParts = z.object({
  request: z.string(),
  investigated: z.string(),
  learned: z.string(),
  completed: z.string(),
  nextSteps: z.string(),
  notes: z.string(),
  filesRead: texts,
  filesModified: texts,
});

export const memory = z.object({
  id,
  kind,
  type: z.nullable(type),
  title: z.string(),
  subtitle: z.string(),
  narrative: z.string(),
  facts: texts,
  concepts: texts,
  aliases: texts,
  parts: z.nullable(summaryParts),
  tokens: count,
  strength: count,
  supersededBy: z.nullable(id),
  turnId: z.nullable(id),
  sessionId: z.nullable(id),
  project: nullableText,
  projectId: z.nullable(id),
  prompt: z.nullable(count),
  branch: nullableText,
  commit: nullableText,
  distiller: z.string(),
  at: time,
  scope,
  saidBy: z.string(),
  pinnedAt: nullableTime,
  editedAt: nullableTime,
  mergedAt: nullableTime,
  origin: nullableText,
  /** The team member who made it; null for this home. */
  author: nullableText,
  filesRead: texts,
  filesModified: texts,
  pins: z.array(z.object({ path: z.string(), hash: z.string(), symbols: texts })),
});

/** How a memory is shared with the team; null without a team. */
export const sharing = z.nullable(
  z.object({
    isShared: z.boolean(),
    /** Why this machine cannot change that; null if it can. */
    problem: nullableText,
  }),
);

export const injectionSource = z.enum(['start', 'prompt', 'file', 'mcp']);

/** The parts of a candidate's score. */
export const scoreParts = z.array(z.object({ name: z.string(), points: count }));

/** A context that an agent was given. */
export const givenContext = z.object({
  id,
  at: time,
  agent: z.string(),
  agentSession: z.string(),
  /** Null until the session has reported its first event. */
  sessionId: z.nullable(id),
  project: nullableText,
  source: injectionSource,
  tokens: count,
  budget: z.nullable(count),
  isForgotten: z.boolean(),
  shown: z.array(
    z.object({
      memoryId: id,
      /** Null once the memory was forgotten. */
      title: nullableText,
      type: nullableText,
      how: z.enum(['full', 'claims', 'line']),
      tokens: count,
      reasons: texts,
      score: z.optional(count),
      parts: z.optional(scoreParts),
    }),
  ),
});

/** The injection of one memory. */
export const injection = z.object({
  agent: z.string(),
  agentSession: z.string(),
  source: injectionSource,
  memoryId: id,
  tokens: count,
  reason: z.string(),
  claims: z.optional(z.array(count)),
  at: time,
});

/** One line of a search or a timeline. */
const places = z.array(z.tuple([count, count]));
export const entry = z.object({
  id: z.string(),
  type: z.string(),
  at: time,
  title: z.string(),
  matches: z.optional(places),
  claim: z.optional(z.object({ position: count, text: z.string(), matches: z.optional(places) })),
  file: z.optional(z.string()),
  tokens: count,
  project: nullableText,
  marks: texts,
  reasons: texts,
});
