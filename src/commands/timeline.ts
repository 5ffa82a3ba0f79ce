import { clock, day, type IndexEntry } from '../context/present-entry.ts';
import { entriesOf } from '../context/present-moments.ts';
import { findTimeline } from '../context/timeline.ts';
import { readReference, sayReference } from '../model/reference.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { paintedEntry } from './entry-line.ts';
import { whereWeAre } from './here.ts';
import { readMemory } from './read-memory.ts';

/** Nothing has this number: what is global is all there is then. */
const NO_PROJECT = 0;

export const command: Command = {
  name: 'timeline',
  summary: 'What was asked and learnt around a memory, a session or a time',
  usage: 'timeline [<id> | <time>] [--before <n>] [--after <n>] [--all] [--json]',
  help: 'An id is 12, p34 or s5; a time is 2026-11-10, 2026-11-10T14:00, yesterday, 3d. Without one: now.',
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
      const { project, standing } = whereWeAre(store);
      const own = readReference(around);
      const projectId = call.options.all ? null : (project?.id ?? NO_PROJECT);
      const moments = findTimeline(store, { ...span, around, projectId, now: call.now() });
      if ('problem' in moments) throw new CommandError(moments.problem);
      const entries = entriesOf(store, moments, standing);
      if (call.options.json) printJson(call, entries);
      else if (entries.length === 0)
        call.out(
          projectId === NO_PROJECT
            ? 'Nothing was captured in this project yet. All projects: cairn timeline --all'
            : `Nothing happened around ${around}.`,
        );
      else print(call, entries, own ? sayReference(own) : undefined);
      return 0;
    });
  },
};

function print(call: Call, entries: IndexEntry[], asked: string | undefined): void {
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (!before || day(before.at) !== day(entry.at)) call.out(call.paint.bold(day(entry.at)));
    const line = paintedEntry(call, entry, { time: clock(entry.at) });
    call.out(entry.id === asked ? call.paint.cyan(`> ${line}`) : `  ${line}`);
  }
}

function countOf({ options }: Call, name: 'before' | 'after'): number {
  const count = Number(options[name] ?? 10);
  if (!Number.isInteger(count) || count < 0 || count > 500)
    throw new UsageError(`--${name} takes a whole number from 0 to 500.`);
  return count;
}
