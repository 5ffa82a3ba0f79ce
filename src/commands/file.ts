import { storedPlaceOf } from '../capture/stored-place.ts';
import { historyOfFile } from '../context/file-history.ts';
import { entryOfMemory } from '../context/present-entry.ts';
import { type Command, printJson, UsageError } from './command.ts';
import { paintedEntry } from './entry-line.ts';
import { whereWeAre } from './here.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'file',
  summary: 'What is known of a file or a folder, the latest first',
  usage: 'file <path> [--limit <n>] [--json]',
  options: { limit: { type: 'string' }, json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const [path] = call.positionals;
    if (!path) throw new UsageError('Which file or folder?');
    const limit = Number(call.options.limit ?? 30);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit takes a whole number above 0.');
    return readMemory(call, (store) => {
      const { folder, project, standing } = whereWeAre(store);
      const found = historyOfFile(store, {
        ...{ path, folder, project, limit },
        projectOf: (top) => store.findProject(storedPlaceOf(top)),
      });
      const entries = found.map((memory) => entryOfMemory(memory, { marks: standing(memory).marks }));
      if (call.options.json) printJson(call, entries);
      else if (entries.length === 0) call.out(`Nothing is known of ${path}.`);
      else for (const entry of entries) call.out(paintedEntry(call, entry));
      return 0;
    });
  },
};
