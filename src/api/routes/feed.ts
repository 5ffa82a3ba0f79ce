import * as z from 'zod/mini';
import {
  cursorParameter,
  idParameter,
  LONGEST,
  limitedText,
  limitParameter,
  nullableText,
} from '../schemas/basics.ts';
import { memory, type } from '../schemas/memory.ts';
import { event, session, turn } from '../schemas/session.ts';

const filter = {
  project: z.optional(idParameter),
  agent: z.optional(limitedText(LONGEST.name)),
  type: z.optional(type),
};

/** The start page of the viewer. */
export const feedRoutes = {
  getFeed: {
    method: 'GET',
    path: '/api/feed',
    summary: 'Memories, the latest first, a page at a time, with the turns and sessions they come from',
    access: 'key',
    query: z.strictObject({ ...filter, limit: limitParameter, cursor: z.optional(cursorParameter) }),
    answer: z.object({
      memories: z.array(memory),
      turns: z.array(turn),
      sessions: z.array(session),
      next: nullableText,
    }),
  },
  listRunningTurns: {
    method: 'GET',
    path: '/api/running',
    summary: 'Turns that agents are working on, the latest first, with their last tool calls',
    access: 'key',
    query: z.strictObject({ project: filter.project, agent: filter.agent }),
    answer: z.object({
      running: z.array(
        z.object({
          session,
          turn,
          /** The number of calls of each tool, in order of the first call. */
          tools: z.array(z.object({ name: z.string(), count: z.number() })),
          last: z.nullable(event),
        }),
      ),
    }),
  },
} as const;
