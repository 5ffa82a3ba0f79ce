import * as z from 'zod/mini';
import { formatCount } from '../../context/words.ts';
import { type ForgetResult, forgetEverywhere } from '../../curation/forget.ts';
import type { JsonObject } from '../../model/json.ts';
import { shorten } from '../../model/shorten.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { MAX_LENGTH, requiredText } from './limits.ts';
import { describeMissing, requireMemoryId } from './references.ts';
import { DESTRUCTIVE, defineTool } from './tool.ts';
import { ToolError } from './tool-error.ts';

export const forget = defineTool({
  name: 'forget',
  description:
    'Delete a memory, only when the person asks. Without confirm it says what would be removed: show that first.',
  input: z.object({ id: requiredText(MAX_LENGTH.name), confirm: z.optional(z.boolean()) }),
  annotations: DESTRUCTIVE,
  run({ id: named, confirm = false }, call) {
    const id = requireMemoryId(named);
    const targets = { memories: [id], prompts: [], sessions: [] };
    const undoDays = call.settings['forget.undoDays'];
    const request = { ...targets, withSource: false, isDryRun: !confirm, isUndoable: undoDays > 0 };
    const forgotten = forgetEverywhere(call, request);
    if (forgotten.missing.memories.length > 0) throw new ToolError(describeMissing({ what: 'memory', id }));
    const what = describeBriefly(forgotten);
    const source = withCairnCommand(
      'The raw events it was made from stay; the person removes them with: cairn forget',
    );
    const raw = forgotten.keptEvents > 0 ? ` ${source} ${id} --with-source` : '';
    const undo =
      undoDays > 0
        ? withCairnCommand(
            ` For ${formatCount(undoDays, 'day')} the person can undo it: cairn forget --undo ${id}`,
          )
        : ' It cannot be undone.';
    return {
      text: confirm
        ? `Forgotten: ${what}.${undo}${raw}`
        : `Nothing was removed yet. This would remove: ${what}.${undo}${raw} Ask the person, then call forget with confirm: true.`,
      structure: { id: String(id), removed: confirm, ...countsOf(forgotten) },
    };
  },
});

function describeBriefly({ memories, trimmed, injections, works, logLines }: ForgetResult): string {
  const sentences = trimmed.map(({ id, sentences: lost }) => `${formatCount(lost, 'sentence')} in #${id}`);
  return [
    ...memories.map(({ id, title }) => `#${id} "${shorten(title, 140)}"`),
    ...sentences,
    injections > 0 &&
      formatCount(
        injections,
        'record that it was given to an agent',
        'records that it was given to an agent',
      ),
    works > 0 && `what ${formatCount(works, 'work item')} said about it`,
    logLines > 0 && formatCount(logLines, 'log line'),
  ]
    .filter(Boolean)
    .join(', ');
}

function countsOf({ memories, trimmed, injections, works, logLines, keptEvents }: ForgetResult): JsonObject {
  return {
    memories: memories.map(({ id }) => String(id)),
    trimmed: trimmed.map(({ id }) => String(id)),
    ...{ injections, works, logLines, keptEvents },
  };
}
