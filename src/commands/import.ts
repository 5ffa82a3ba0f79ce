import { type Call, type Command, UsageError } from './command.ts';
import { runCairn, runClaudeMem, runMemoryMd } from './importing/sources.ts';
import { runTranscripts } from './importing/transcripts.ts';

interface Source {
  run: (call: Call) => Promise<number>;
  /** Which options mean something there. */
  options: string[];
  /** How many words follow its name. */
  words: number;
}

const SOURCES: Record<string, Source> = {
  'claude-code': { run: runTranscripts, options: ['since', 'project', 'session'], words: 0 },
  cairn: { run: runCairn, options: [], words: 1 },
  'claude-mem': { run: runClaudeMem, options: ['db', 'project'], words: 0 },
  'memory-md': { run: runMemoryMd, options: ['dir', 'project'], words: 0 },
};
const EVERYWHERE = ['dry-run', 'json', 'help'];

export const command: Command = {
  name: 'import',
  summary: 'Past sessions, exports, and what other memories kept become memory',
  usage: [
    'import claude-code [--since <date>] [--project <folder>] [--session <id>] [--dry-run] [--json]',
    'import cairn <file> [--dry-run] [--json]',
    'import claude-mem [--db <file>] [--project <folder>] [--dry-run] [--json]',
    'import memory-md [--dir <folder>] [--project <folder>] [--dry-run] [--json]',
  ].join('\n'),
  help: [
    'claude-code  past sessions, from the transcripts that Claude Code kept, oldest first',
    'cairn        a file that "cairn export" wrote, or - for stdin; a line that cannot be read stops no other',
    'claude-mem   observations, summaries and prompts of claude-mem; its database is only read, also while in use',
    "memory-md    the notes in Claude Code's own MEMORY.md and the files beside it; an edited one replaces the old",
    '',
    'Ctrl-C stops it; the next time it goes on from there. What is known already is passed over, and what was',
    'forgotten stays so. Secrets and private parts are removed as they are when an agent is captured.',
    '',
    '  --since <date>      only sessions that were at work on that day or later, such as 2026-01-31',
    '  --project <folder>  only what belongs to the project in that folder',
    '  --session <id>      only this one, also to fill in what its hooks did not tell',
    '  --db <file>         where claude-mem keeps its memory, if not in ~/.claude-mem/claude-mem.db',
    "  --dir <folder>      where the notes lie, if not in Claude Code's own folder",
    '  --dry-run           counts what would be imported, and keeps nothing',
  ].join('\n'),
  options: {
    since: { type: 'string' },
    project: { type: 'string' },
    session: { type: 'string' },
    db: { type: 'string' },
    dir: { type: 'string' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 2,
  run(call) {
    return sourceFor(call).run(call);
  },
};

function sourceFor({ positionals, options }: Call): Source {
  const [name, ...words] = positionals;
  if (name === undefined) throw new UsageError('From where?');
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (!source) throw new UsageError(`Nothing can be imported from "${name}".`);
  if (words.length > source.words)
    throw new UsageError(`"cairn import ${name}" does not take "${words[0]}".`);
  const given = Object.keys(options).filter((option) => options[option] !== undefined);
  const stray = given.find((option) => ![...source.options, ...EVERYWHERE].includes(option));
  if (stray !== undefined) throw new UsageError(`"cairn import ${name}" has no option --${stray}.`);
  return source;
}
