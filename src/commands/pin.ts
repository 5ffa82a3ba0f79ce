import { type Command, printJson } from './support/command.ts';
import { withMemory } from './support/memory.ts';
import { parseMemoryNumber, requireMemory } from './support/numbers.ts';

export const command: Command = {
  name: 'pin',
  summary: 'Pin a memory: every session of its project starts with it',
  usage: 'pin [--remove] <memory number> [--json]',
  options: { remove: { type: 'boolean' }, json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const id = parseMemoryNumber(call);
    const isPinned = !call.options.remove;
    return withMemory(call, (store) => {
      const memory = requireMemory(store, id);
      const isUnchanged = (memory.pinnedAt !== null) === isPinned;
      if (!isUnchanged) store.pinMemory(id, isPinned ? call.now() : null);
      if (call.options.json) printJson(call, { id, isPinned });
      else if (isUnchanged) call.out(`#${id} ${isPinned ? 'is pinned already' : 'was not pinned'}.`);
      else call.out(`#${id} is ${isPinned ? 'pinned' : 'no longer pinned'}: ${memory.title}`);
      return 0;
    });
  },
};
