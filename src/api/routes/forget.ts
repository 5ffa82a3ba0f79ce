import * as z from 'zod/mini';
import { count, id, idParams, LONGEST, limitedText, MOST_IDS, time } from '../schemas/basics.ts';
import { kind, type } from '../schemas/memory.ts';

/** Selects memories by number, or all that match a filter, as in a list of memories. */
const which = {
  memories: z.optional(z.array(id).check(z.minLength(1), z.maxLength(MOST_IDS))),
  filter: z.optional(
    z.strictObject({
      project: z.optional(id),
      session: z.optional(id),
      turn: z.optional(id),
      agent: z.optional(limitedText(LONGEST.name)),
      kind: z.optional(kind),
      type: z.optional(type),
      pinned: z.optional(z.boolean()),
      superseded: z.optional(z.boolean()),
      since: z.optional(time),
      before: z.optional(time),
    }),
  ),
};

/**
 * Earlier parts of a request to forget or restore memories. They get the deadline of this part, which allows undoing
 * all parts until the last one is due.
 */
const together = z._default(z.array(id).check(z.maxLength(MOST_IDS)), []);

const pending = z.object({
  id,
  at: time,
  /** Undo is possible until then. Null: for some days, as with `cairn forget`. */
  dueAt: z.nullable(time),
  memories: z.array(z.object({ id, kind, title: z.string() })),
});

export const forgetRoutes = {
  previewForget: {
    method: 'POST',
    path: '/api/forget/preview',
    summary: 'How many memories would be forgotten, and some of their titles',
    access: 'key',
    body: z.strictObject(which),
    answer: z.object({ count, titles: z.array(z.object({ id, title: z.string() })) }),
  },
  forget: {
    method: 'POST',
    path: '/api/forget',
    summary: 'Hide memories at once and delete them for good ten seconds later',
    access: 'key',
    body: z.strictObject({
      ...which,
      /** The count from the preview. If it has changed, nothing is forgotten. */
      count: z.optional(count),
      /** Also forgets their sources and everything else with the same content. */
      withSource: z._default(z.boolean(), false),
      together,
    }),
    answer: z.object({ forget: pending }),
    status: 202,
  },
  undoForget: {
    method: 'POST',
    path: '/api/forget/{id}/undo',
    summary: 'Bring back what was forgotten, until it is deleted for good',
    access: 'key',
    params: idParams,
    body: z.strictObject({ together }),
    answer: z.object({ restored: z.array(id) }),
  },
  listForgets: {
    method: 'GET',
    path: '/api/forget',
    summary: 'What was forgotten and can still be brought back, the latest first',
    access: 'key',
    answer: z.object({ forgets: z.array(pending) }),
  },
} as const;
