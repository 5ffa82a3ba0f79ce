import * as z from 'zod/mini';
import {
  count,
  cursorParameter,
  flagParameter,
  id,
  idParameter,
  idParams,
  LONGEST,
  limitedText,
  limitParameter,
  nullableText,
  numberParameter,
  texts,
  time,
  timeParameter,
} from '../schemas/basics.ts';
import {
  entry,
  givenContext,
  injection,
  injectionSource,
  kind,
  memory,
  scope,
  scoreParts,
  sharing,
  summaryParts,
  type,
} from '../schemas/memory.ts';
import { event } from '../schemas/session.ts';

/** Filters memories, both in a list and for forgetting many. */
export const memoryFilter = {
  project: z.optional(idParameter),
  session: z.optional(idParameter),
  turn: z.optional(idParameter),
  agent: z.optional(limitedText(LONGEST.name)),
  kind: z.optional(kind),
  type: z.optional(type),
  pinned: z.optional(flagParameter),
  superseded: z.optional(flagParameter),
  since: z.optional(timeParameter),
  before: z.optional(timeParameter),
};

const span = z.optional(numberParameter(0, 200));

const lines = (most: number, longest: number) => z.array(limitedText(longest)).check(z.maxLength(most));
const changed = z.object({ memory });

/** Changing memories. Distilling does not touch changed memories. */
export const memoryChangeRoutes = {
  changeMemory: {
    method: 'PATCH',
    path: '/api/memories/{id}',
    summary: 'Edit or pin a memory; missing fields stay as they are',
    access: 'key',
    params: idParams,
    body: z.strictObject({
      title: z.optional(limitedText(LONGEST.title)),
      subtitle: z.optional(limitedText(LONGEST.title)),
      narrative: z.optional(limitedText(LONGEST.text)),
      facts: z.optional(lines(100, LONGEST.fact)),
      aliases: z.optional(lines(50, LONGEST.name)),
      type: z.optional(z.nullable(type)),
      scope: z.optional(scope),
      parts: z.optional(summaryParts),
      pinned: z.optional(z.boolean()),
    }),
    answer: changed,
  },
  supersedeMemory: {
    method: 'POST',
    path: '/api/memories/{id}/supersede',
    summary: 'Let another memory replace this one; null takes it back',
    access: 'key',
    params: idParams,
    body: z.strictObject({ by: z.nullable(id) }),
    answer: changed,
  },
  mergeMemories: {
    method: 'POST',
    path: '/api/memories/{id}/merge',
    summary: 'Merge other memories into this one, which replaces them',
    access: 'key',
    params: idParams,
    body: z.strictObject({ from: z.array(id).check(z.minLength(1), z.maxLength(50)) }),
    answer: changed,
  },
} as const;

/** Reading memories. */
export const memoryRoutes = {
  listMemories: {
    method: 'GET',
    path: '/api/memories',
    summary: 'Memories, the latest first, a page at a time',
    access: 'key',
    query: z.strictObject({
      ...memoryFilter,
      limit: limitParameter,
      cursor: z.optional(cursorParameter),
    }),
    answer: z.object({ memories: z.array(memory), next: nullableText }),
  },
  getMemory: {
    method: 'GET',
    path: '/api/memories/{id}',
    summary: 'A memory with its sources, its history and which sessions were given it',
    access: 'key',
    params: idParams,
    answer: z.object({
      memory,
      history: z.object({
        prompt: nullableText,
        agent: nullableText,
        agentSession: nullableText,
        repeatedIn: z.array(z.object({ sessionId: id, prompt: z.nullable(count), at: time })),
        replaced: z.array(id),
      }),
      source: z.array(event),
      freshness: z.string(),
      changedFiles: texts,
      goneFiles: texts,
      sharing,
      injections: z.array(injection),
      contexts: z.array(z.object({ id, at: time, agent: z.string(), source: injectionSource })),
    }),
  },
  listInjections: {
    method: 'GET',
    path: '/api/injections',
    summary: 'What agents were given, the latest first, without the text',
    access: 'key',
    query: z.strictObject({
      session: z.optional(limitedText(LONGEST.name)),
      memory: z.optional(idParameter),
      source: z.optional(injectionSource),
      limit: limitParameter,
      cursor: z.optional(cursorParameter),
    }),
    answer: z.object({ injections: z.array(givenContext), next: nullableText }),
  },
  getInjection: {
    method: 'GET',
    path: '/api/injections/{id}',
    summary: 'What an agent was given at one moment, word for word, and what was left out',
    access: 'key',
    params: idParams,
    answer: z.object({
      injection: z.extend(givenContext, {
        /** Null once one of its memories was forgotten. */
        text: nullableText,
        leftOut: z.array(
          z.object({
            ...{ memoryId: id, title: nullableText, type: nullableText, reason: z.string() },
            ...{ score: z.optional(count), parts: z.optional(scoreParts) },
          }),
        ),
      }),
      /** The previous context of the same session. */
      before: z.nullable(id),
    }),
  },
  search: {
    method: 'GET',
    path: '/api/search',
    summary: 'Search memories and prompts, the best first',
    access: 'key',
    query: z.strictObject({
      /** Checked by the handler, with the texts of commands and tools. */
      q: z._default(z.string(), ''),
      project: z.optional(idParameter),
      kind: z.optional(z.enum(['observation', 'summary', 'note', 'prompt'])),
      typing: z.optional(flagParameter),
      limit: limitParameter,
    }),
    answer: z.object({
      hits: z.array(z.object({ entry, score: count, isWeaker: z.boolean(), memory: z.nullable(memory) })),
      /** Further hits that are not weaker, beyond the limit. */
      more: count,
      replaced: z.array(z.object({ typed: z.string(), used: z.string() })),
      /** Words that no memory has and that nothing replaced. */
      unknown: texts,
      notice: nullableText,
      pendingDocuments: count,
    }),
  },
  getTimeline: {
    method: 'GET',
    path: '/api/timeline',
    summary: 'Prompts and memories around an id (12, p34, s5) or a time (now, yesterday, 2026-11-10)',
    access: 'key',
    query: z.strictObject({
      around: z._default(limitedText(LONGEST.name), 'now'),
      project: z.optional(idParameter),
      before: span,
      after: span,
    }),
    answer: z.object({ entries: z.array(entry) }),
  },
  listFileMemories: {
    method: 'GET',
    path: '/api/files',
    summary: 'Memories about a file or folder, the latest first',
    access: 'key',
    query: z.strictObject({
      path: limitedText(LONGEST.path).check(z.minLength(1)),
      project: z.optional(idParameter),
      limit: limitParameter,
    }),
    answer: z.object({ memories: z.array(memory) }),
  },
} as const;
