import * as z from 'zod/mini';
import { remember as rememberNote } from '../../curation/remember.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { ADDS, defineTool } from './tool.ts';
import { ToolTrouble } from './trouble.ts';

export const remember = defineTool({
  name: 'remember',
  description:
    'Keep something for later sessions that the code does not show: a decision with its reason, a preference of the person, a trap. Its first sentence becomes the title.',
  input: z.object({
    text: z.string(),
    type: z.optional(z.enum(OBSERVATION_TYPES)),
    files: z.optional(z.array(z.string())),
    global: z.optional(z.boolean().check(z.describe('holds in every project'))),
  }),
  annotations: ADDS,
  run({ text, type, files, global: isGlobal = false }, scene) {
    const { folder, agentSession } = scene;
    const remembered = rememberNote(scene, {
      ...{ text, folder, saidBy: 'agent', isGlobal, agentSession },
      ...(type && { type }),
      ...(files && { files }),
    });
    if ('problem' in remembered) throw new ToolTrouble(`Nothing was remembered: ${remembered.problem}`);
    const { id, isNew } = remembered;
    return {
      text: isNew
        ? `Remembered as #${id}${isGlobal ? ', for every project' : ''}.`
        : `Known already: #${id}. It counts for more now.`,
      structure: { id: String(id), isNew },
    };
  },
});
