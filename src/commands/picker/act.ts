import type { PresentedHit } from '../../context/present-hits.ts';
import { formatMemory } from '../../context/present-record.ts';
import { forgetEverywhere } from '../../curation/forget.ts';
import { parseReference } from '../../model/reference.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Call } from '../support/command.ts';
import { withCuration } from '../support/curation.ts';
import { withMemory } from '../support/memory.ts';
import type { PickerAction } from './state.ts';

/** Changes or copies a hit. @returns a message for the person. */
export function actOnHit(
  call: Call,
  action: PickerAction,
  { entry, memory }: PresentedHit,
  copy: (text: string) => void,
): string {
  // Output on stderr would disturb the screen.
  const quiet = { ...call, err: () => {} };
  switch (action) {
    case 'copy':
      copy(memory ? formatMemory(memory) : entry.title);
      return `Copied ${entry.id}, if your terminal allows it (OSC 52).`;
    case 'pin': {
      if (!memory) return 'Only memories can be pinned.';
      const isPinned = memory.pinnedAt === null;
      withMemory(quiet, (store) => store.pinMemory(memory.id, isPinned ? call.now() : null));
      return `${entry.id} is ${isPinned ? 'pinned' : 'no longer pinned'}.`;
    }
    case 'forget':
      return forget(quiet, entry.id);
  }
}

function forget(call: Call, name: string): string {
  const reference = parseReference(name);
  if (!reference) return `${name} cannot be forgotten here.`;
  const isUndoable = call.settings['forget.undoDays'] > 0;
  withCuration(call, (options) =>
    forgetEverywhere(options, {
      memories: reference.what === 'memory' ? [reference.id] : [],
      prompts: reference.what === 'prompt' ? [reference.id] : [],
      sessions: [],
      withSource: false,
      isUndoable,
    }),
  );
  const undo = withCairnCommand(`Undo: cairn forget --undo ${name.replace('#', '')}`);
  return isUndoable ? `Forgot ${name}. ${undo}` : `Forgot ${name}.`;
}
