import * as z from 'zod/mini';
import { remember as rememberNote } from '../../curation/remember.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { shorten } from '../../model/shorten.ts';
import { ALIASES, limitedList, limitedText, MAX_ITEMS, MAX_LENGTH } from './limits.ts';
import { ADDITIVE, defineTool } from './tool.ts';
import { ToolError } from './tool-error.ts';

export const remember = defineTool({
  name: 'remember',
  description:
    'Store what the code does not show: a decision, a preference, a pitfall. The first sentence is the title.',
  input: z.object({
    text: limitedText(MAX_LENGTH.text),
    why: z.optional(limitedText(MAX_LENGTH.text)),
    type: z.optional(
      limitedText(MAX_LENGTH.name).check(z.describe('decision, preference, gotcha, bugfix …')),
    ),
    files: z.optional(limitedList(MAX_ITEMS.files, limitedText(MAX_LENGTH.path))),
    aliases: z.optional(ALIASES),
    global: z.optional(z.boolean()),
  }),
  annotations: ADDITIVE,
  run({ text, why, type: called, files, aliases, global: isGlobal = false }, call) {
    const { folder, agentSession } = call;
    const type = OBSERVATION_TYPES.find((known) => known === called);
    if (called !== undefined && !type)
      throw new ToolError(
        `There is no type "${shorten(called, 80)}". Types are: ${OBSERVATION_TYPES.join(', ')}.`,
      );
    const remembered = rememberNote(call, {
      ...{ text, folder, saidBy: 'agent', isGlobal, agentSession },
      ...(why && { why }),
      ...(type && { type }),
      ...(files && { files }),
      ...(aliases && { aliases }),
    });
    if ('problem' in remembered) throw new ToolError(`Nothing was remembered: ${remembered.problem}`);
    const { id, isNew } = remembered;
    return {
      text: isNew
        ? `Remembered as #${id}${isGlobal ? ', for every project' : ''}.`
        : `Known already: #${id}. It counts for more now.`,
      structure: { id: String(id), isNew },
    };
  },
});
