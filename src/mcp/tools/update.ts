import * as z from 'zod/mini';
import { editMemory } from '../../curation/edit.ts';
import { ALIASES, limitedText, MAX_LENGTH, requiredText } from './limits.ts';
import { describeMissing, requireMemoryId } from './references.ts';
import { ADDITIVE, defineTool } from './tool.ts';
import { ToolError } from './tool-error.ts';

export const update = defineTool({
  name: 'update',
  description: 'Correct a memory, or pin it (given at every start). text replaces all below the title.',
  input: z.object({
    id: requiredText(MAX_LENGTH.name),
    title: z.optional(limitedText(MAX_LENGTH.title)),
    text: z.optional(limitedText(MAX_LENGTH.text)),
    aliases: z.optional(ALIASES),
    pinned: z.optional(z.boolean()),
  }),
  annotations: ADDITIVE,
  run({ id: named, title, text, aliases, pinned }, call) {
    const id = requireMemoryId(named);
    if ([title, text, aliases, pinned].every((value) => value === undefined))
      throw new ToolError('Nothing to update: give a title, a text, aliases, or pinned.');
    const memory = call.store.getMemory(id);
    if (!memory) throw new ToolError(describeMissing({ what: 'memory', id }));
    if (title !== undefined || text !== undefined || aliases) {
      const problem = editMemory(call, id, {
        ...(title !== undefined && { title }),
        ...(text !== undefined && { narrative: text, facts: [] }),
        ...(aliases && { aliases: [...memory.aliases, ...aliases] }),
      });
      if (problem) throw new ToolError(`Nothing was changed: ${problem.problem}`);
    }
    if (pinned !== undefined) call.store.pinMemory(id, pinned ? call.now() : null);
    const changes = [
      title !== undefined && 'new title',
      text !== undefined && 'new text',
      aliases !== undefined && 'more aliases',
      pinned !== undefined && (pinned ? 'pinned' : 'no longer pinned'),
    ].filter((change) => change !== false);
    return { text: `#${id}: ${changes.join(', ')}.`, structure: { id: String(id), changed: changes } };
  },
});
