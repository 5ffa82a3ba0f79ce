import { agentById, transcriptAgents } from '../agents/all.ts';
import { importEverything } from './importing/everything.ts';
import { importCairnExport, importFromClaudeMem, importFromMemoryMd } from './importing/sources.ts';
import { importFromTranscripts } from './importing/transcripts.ts';
import { type Ask, askOnTerminal } from './support/ask.ts';
import { type Call, type Command, CommandError, UsageError } from './support/command.ts';
import { createUnknownError, rejectExtra } from './support/usage.ts';

interface Source {
  run: (call: Call) => Promise<number>;
  /** The options that this source accepts. */
  options: string[];
  words: number;
}

const TRANSCRIPTS: Source = {
  run: importFromTranscripts,
  options: ['since', 'project', 'session'],
  words: 0,
};

const SOURCES: Record<string, Source> = {
  ...Object.fromEntries(transcriptAgents().map(({ id }) => [id, TRANSCRIPTS])),
  cairn: { run: importCairnExport, options: [], words: 1 },
  'claude-mem': { run: importFromClaudeMem, options: ['db', 'project'], words: 0 },
  'memory-md': { run: importFromMemoryMd, options: ['dir', 'project'], words: 0 },
};
const EVERY_AGENT = ['since', 'project', 'yes'];
const AGENTS = transcriptAgents().map(({ id }) => id);
const EVERYWHERE = ['dry-run', 'json', 'help'];

export const command = createImportCommand(askOnTerminal);

export function createImportCommand(ask: Ask): Command {
  return {
    name: 'import',
    summary: 'Import past sessions, exports and the memories of other tools',
    usage: [
      'import [--since <date>] [--project <folder>] [--dry-run] [--yes] [--json]',
      'import <agent> [--since <date>] [--project <folder>] [--session <id>] [--dry-run] [--json]',
      'import cairn <file> [--dry-run] [--json]',
      'import claude-mem [--db <file>] [--project <folder>] [--dry-run] [--json]',
      'import memory-md [--dir <folder>] [--project <folder>] [--dry-run] [--json]',
    ].join('\n'),
    help: [
      'Without a source: past sessions of every agent on this machine. Shows what was found and asks once.',
      '',
      `<agent>      past sessions, as the agent has kept them, oldest first: ${AGENTS.join(', ')}`,
      'cairn        a file written by "cairn export", or - for stdin; unreadable lines are skipped',
      'claude-mem   observations, summaries and prompts of claude-mem; its database is opened read-only, also while in use',
      "memory-md    the notes in Claude Code's own MEMORY.md and the files next to it; an edited note replaces the old one",
      '',
      'Ctrl-C stops it; run it again to continue. Known memories are skipped, and what was',
      'forgotten is not imported again. Secrets and private parts are removed, as in capture.',
      '',
      '  --since <date>      only sessions active on that day or later, such as 2026-01-31',
      '  --project <folder>  only what belongs to the project in that folder',
      '  --session <id>      only this session; also adds what its hooks did not report',
      '  --db <file>         where claude-mem keeps its memory, if not in ~/.claude-mem/claude-mem.db',
      "  --dir <folder>      where the notes are, if not in Claude Code's own folder",
      '  --dry-run           count what would be imported, store nothing',
      '  --yes               do not ask; without a source only',
      '  --json              also shows the progress, as lines of JSON on stderr',
    ].join('\n'),
    options: {
      since: { type: 'string' },
      project: { type: 'string' },
      session: { type: 'string' },
      db: { type: 'string' },
      dir: { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean', short: 'y' },
      json: { type: 'boolean' },
    },
    words: 2,
    run(call) {
      if (call.positionals.length > 0) return sourceFor(call).run(call);
      rejectOptions(call, 'all agents', EVERY_AGENT);
      return importEverything(call, ask);
    },
  };
}

function sourceFor(call: Call): Source {
  const [name = '', ...words] = call.positionals;
  const known = Object.keys(SOURCES);
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  const all = `Known sources: ${known.join(', ')}.`;
  const agent = agentById(name);
  if (!source && agent) throw new CommandError(`Cairn cannot read past sessions of ${agent.name}. ${all}`);
  if (!source) throw createUnknownError('source', name, known, all);
  rejectExtra(words.slice(source.words));
  rejectOptions(call, name, source.options);
  return source;
}

function rejectOptions({ options }: Call, source: string, known: string[]): void {
  const used = Object.keys(options).filter((option) => options[option] !== undefined);
  const stray = used.find((option) => ![...known, ...EVERYWHERE].includes(option));
  if (stray !== undefined) throw new UsageError(`Unknown option for ${source}: --${stray}.`);
}
