import type { IndexEntry } from '../context/present-entry.ts';
import { presentMoments } from '../context/present-moments.ts';
import { createReliability } from '../context/reliability.ts';
import { findTimeline } from '../context/timeline.ts';
import { formatDay, formatTime } from '../context/words.ts';
import { locate } from '../memory/locate.ts';
import { formatReference, parseReference } from '../model/reference.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { paintEntry } from './support/entry-line.ts';
import { readMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { numberOption } from './support/usage.ts';

/** No project has this number, so only global memories match. */
const NO_PROJECT = 0;

export const command: Command = {
  name: 'timeline',
  summary: 'Show prompts and memories around a memory, session or time',
  usage: 'timeline [<id> | <time>] [--before <n>] [--after <n>] [--all] [--json]',
  help: 'An id is 12, p34 or s5; a time is 2026-11-10, 2026-11-10T14:00, yesterday, 3d. Default: now.',
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 1,
  run(call) {
    const [around = 'now'] = call.positionals;
    const span = { before: countOf(call, 'before'), after: countOf(call, 'after') };
    return readMemory(call, (store) => {
      const location = locate(store, process.cwd());
      const own = parseReference(around);
      const projectId = call.options.all ? null : (location.project?.id ?? NO_PROJECT);
      const moments = findTimeline(store, { ...span, around, projectId, now: call.now() });
      if ('problem' in moments) throw new CommandError(moments.problem);
      const entries = presentMoments(store, moments, createReliability(location));
      if (call.options.json) printJson(call, entries);
      else if (entries.length === 0)
        call.out(
          projectId === NO_PROJECT
            ? withCairnCommand('Nothing was captured in this project yet. All projects: cairn timeline --all')
            : `Nothing happened ${/^now$/i.test(around) ? 'yet' : `around ${around}`}.`,
        );
      else print(call, entries, own ? formatReference(own) : undefined);
      return 0;
    });
  },
};

function print(call: Call, entries: IndexEntry[], selectedId: string | undefined): void {
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (!before || formatDay(before.at) !== formatDay(entry.at))
      call.out(call.paint.bold(formatDay(entry.at)));
    const line = paintEntry(call, entry, { time: formatTime(entry.at) });
    printRow(call, entry.id === selectedId ? call.paint.cyan(`> ${line}`) : `  ${line}`);
  }
}

function countOf(call: Call, name: 'before' | 'after'): number | undefined {
  if (call.options[name] === undefined) return undefined;
  return numberOption(call, name, { fallback: 10, min: 0, max: 500 });
}
