import * as z from 'zod/mini';
import { remember as rememberNote } from '../../curation/remember.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { shorten } from '../../model/shorten.ts';
import { ALIASES, limitedList, limitedText, MAX_ITEMS, MAX_LENGTH } from './limits.ts';
import { requireMemoryId } from './references.ts';
import { ADDITIVE, defineTool } from './tool.ts';
import { ToolError } from './tool-error.ts';

export const remember = defineTool({
  name: 'remember',
  description:
    'Store what the code does not show. The first sentence is the title; replaces: ids of memories it makes outdated.',
  input: z.object({
    text: limitedText(MAX_LENGTH.text),
    why: z.optional(limitedText(MAX_LENGTH.text)),
    type: z.optional(
      limitedText(MAX_LENGTH.name).check(z.describe('decision, preference, gotcha, bugfix …')),
    ),
    files: z.optional(limitedList(MAX_ITEMS.files, limitedText(MAX_LENGTH.path))),
    aliases: z.optional(ALIASES),
    replaces: z.optional(limitedList(MAX_ITEMS.ids, limitedText(MAX_LENGTH.name))),
    global: z.optional(z.boolean()),
  }),
  annotations: ADDITIVE,
  run({ text, why, type: called, files, aliases, replaces = [], global: isGlobal = false }, call) {
    const { folder, agentSession } = call;
    const type = OBSERVATION_TYPES.find((known) => known === called);
    // Lists show a memory without a type as a note.
    if (called !== undefined && called !== 'note' && !type)
      throw new ToolError(
        `There is no type "${shorten(called, 80)}". Types are: ${OBSERVATION_TYPES.join(', ')}.`,
      );
    const outdated = replaces.map(requireMemoryId);
    const remembered = rememberNote(call, {
      ...{ text, folder, saidBy: 'agent', isGlobal, agentSession },
      ...(why && { why }),
      ...(type && { type }),
      ...(files && { files }),
      ...(aliases && { aliases }),
      replaces: outdated,
    });
    if ('problem' in remembered) throw new ToolError(`Nothing was remembered: ${remembered.problem}`);
    const { id, isNew } = remembered;
    const outcome = isNew
      ? `Remembered as #${id}${isGlobal ? ', for every project' : ''}.`
      : `Known already: #${id}. It counts for more now.`;
    const replaced = outdated.map((old) => `#${old}`).join(', ');
    return {
      text: replaced ? `${outcome} It replaces ${replaced}.` : outcome,
      structure: { id: String(id), isNew, replaces: outdated.map(String) },
    };
  },
});
