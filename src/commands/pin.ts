import { type Command, printJson } from './command.ts';
import { withMemory } from './memory.ts';
import { memoryBy, memoryNumber } from './numbers.ts';

export const command: Command = {
  name: 'pin',
  summary: 'Keep a memory in front: every session of its project starts with it',
  usage: 'pin [--remove] <memory number> [--json]',
  options: { remove: { type: 'boolean' }, json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const id = memoryNumber(call);
    const isPinned = !call.options.remove;
    return withMemory(call, (store) => {
      const memory = memoryBy(store, id);
      const isSo = (memory.pinnedAt !== null) === isPinned;
      if (!isSo) store.pinMemory(id, isPinned ? call.now() : null);
      if (call.options.json) printJson(call, { id, isPinned });
      else if (isSo) call.out(`#${id} ${isPinned ? 'is pinned already' : 'was not pinned'}.`);
      else call.out(`#${id} is ${isPinned ? 'pinned' : 'no longer pinned'}: ${memory.title}`);
      return 0;
    });
  },
};
