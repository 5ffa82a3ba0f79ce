import { toStoredPlace } from '../capture/stored-place.ts';
import { findFileHistory } from '../context/file-history.ts';
import { cutNewest } from '../context/present-count.ts';
import { entryOfMemory } from '../context/present-entry.ts';
import { createReliability } from '../context/reliability.ts';
import { locate } from '../memory/locate.ts';
import { type Command, printJson } from './support/command.ts';
import { paintEntry } from './support/entry-line.ts';
import { readMemory } from './support/memory.ts';
import { printRemark, printRow } from './support/rows.ts';
import { LIMIT, numberOption, requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'file',
  summary: 'Show memories about a file or folder, newest first',
  usage: 'file <path> [--limit <n>] [--json]',
  options: { limit: { type: 'string' }, json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const path = requireArgument(call.positionals[0], 'file or folder');
    const limit = numberOption(call, 'limit', { fallback: 30 });
    return readMemory(call, (store) => {
      const location = locate(store, process.cwd());
      const { folder, project } = location;
      const standing = createReliability(location);
      const found = findFileHistory(store, {
        ...{ path, folder, project, limit: limit + 1 },
        projectOf: (top) => store.findProject(toStoredPlace(top)),
      });
      const { shown, remark } = cutNewest(found, limit, LIMIT);
      const entries = shown.map((memory) => entryOfMemory(memory, { marks: standing(memory).marks }));
      if (call.options.json) printJson(call, entries);
      else if (entries.length === 0) call.out(`No memories about ${path}.`);
      else for (const entry of entries) printRow(call, paintEntry(call, entry));
      // A limit that was asked for needs no remark.
      if (call.options.limit === undefined) for (const line of remark) printRemark(call, line);
      return 0;
    });
  },
};
