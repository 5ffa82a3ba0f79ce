import { cutNewest } from '../context/present-count.ts';
import { formatAge } from '../context/words.ts';
import { locate } from '../memory/locate.ts';
import { shorten } from '../model/shorten.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { mentionLostMemories } from './support/lost-memories.ts';
import { readMemory } from './support/memory.ts';
import { printRemark, printRow } from './support/rows.ts';
import { LIMIT, numberOption } from './support/usage.ts';

export const command: Command = {
  name: 'recent',
  summary: 'List recent observations and summaries',
  usage: 'recent [--all] [--limit <n>] [--json]',
  options: { all: { type: 'boolean' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  run(call) {
    const limit = numberOption(call, 'limit', { fallback: 30 });
    return readMemory(call, (store) => {
      const project = call.options.all ? null : locate(store, process.cwd()).project;
      const isUnknown = !call.options.all && !project;
      const read = isUnknown
        ? []
        : store.listRecentMemories({ limit: limit + 1, ...(project && { projectId: project.id }) });
      const { shown: memories, remark } = cutNewest(read, limit, LIMIT);
      if (call.options.json) printJson(call, memories);
      else if (memories.length === 0) call.out(describeEmpty(call));
      else for (const memory of memories) printRow(call, line(call, memory));
      // A limit that was asked for needs no remark.
      if (call.options.limit === undefined) for (const sentence of remark) printRemark(call, sentence);
      if (memories.length === 0) mentionLostMemories(call);
      return 0;
    });
  },
};

function describeEmpty({ options }: Call): string {
  return options.all
    ? 'There are no memories yet.'
    : withCairnCommand('There are no memories of this project yet. All projects: cairn recent --all');
}

function line({ paint, now, options }: Call, memory: StoredMemory): string {
  const id = paint.bold(`#${memory.id}`.padStart(6));
  const type = (memory.type ?? memory.kind).padEnd(12);
  const project = options.all ? `${paint.cyan(memory.project ?? '?')} ` : '';
  const gone = memory.supersededBy ? paint.dim(` (replaced by #${memory.supersededBy})`) : '';
  const again = memory.strength > 1 ? paint.dim(` ×${memory.strength}`) : '';
  return `${id}  ${formatAge(memory.at, now()).padEnd(10)}  ${type} ${project}${shorten(memory.title, 90)}${again}${gone}`;
}
