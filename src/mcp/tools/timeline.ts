import * as z from 'zod/mini';
import { presentMoments } from '../../context/present-moments.ts';
import { formatTimeline } from '../../context/present-timeline.ts';
import { createReliability } from '../../context/reliability.ts';
import { findTimeline } from '../../context/timeline.ts';
import { formatReference, parseReference } from '../../model/reference.ts';
import { shorten } from '../../model/shorten.ts';
import { MAX_LENGTH, requiredText, wholeNumber } from './limits.ts';
import { structureOf } from './structure.ts';
import { defineTool, READ_ONLY, type ToolAnswer } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Before the time, and after it. */
const MOST_ENTRIES = 50;

export const timeline = defineTool({
  name: 'timeline',
  description: 'Prompts and memories around an id or a time, in order.',
  input: z.object({
    around: z.optional(requiredText(MAX_LENGTH.name).check(z.describe('12, p34, s5, 2026-11-10, 3d'))),
    before: z.optional(wholeNumber(0, MOST_ENTRIES)),
    after: z.optional(wholeNumber(0, MOST_ENTRIES)),
    all: z.optional(z.boolean()),
  }),
  annotations: READ_ONLY,
  run({ around = 'now', before, after, all = false }, call) {
    const { store, project, now } = call;
    const own = parseReference(around);
    if (!all && !project && !own)
      return nothing('Nothing was captured in this project yet. all: true shows others.');
    const moments = findTimeline(store, {
      ...{ around, before, after, now: now() },
      projectId: all ? null : (project?.id ?? null),
    });
    if ('problem' in moments) throw new ToolError(moments.problem);
    const entries = presentMoments(store, moments, createReliability(call));
    if (entries.length === 0) return nothing(`Nothing happened around ${shorten(around, 80)}.`);
    const text = formatTimeline(entries, { ...(own && { at: formatReference(own) }), withProject: all });
    return { text, structure: { entries: entries.map(structureOf) } };
  },
});

function nothing(text: string): ToolAnswer {
  return { text, structure: { entries: [] } };
}
