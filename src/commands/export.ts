import { resolve } from 'node:path';
import { formatCount } from '../context/words.ts';
import { locate } from '../memory/locate.ts';
import { errorCode, writePieces } from '../platform/files.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportQuery, exportMemories } from '../port/export.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import type { Store } from '../store/store.ts';
import { parseSince } from './importing/since.ts';
import { type Call, type Command, CommandError, UsageError } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { writeOut } from './support/output.ts';
import { choiceOption } from './support/usage.ts';

export const command: Command = {
  name: 'export',
  summary: 'Export memories as JSON lines or Markdown',
  usage:
    'export [--format jsonl|markdown] [--project <folder> | --all] [--since <date>] [--with-superseded] [--out <file>]',
  help: [
    'Exports the memories of this project by default. To import JSON lines: cairn import cairn <file>',
    '  --format            jsonl (can be imported again) or markdown (by project and day)',
    '  --project <folder>  the memories of the project in that folder',
    '  --all               the memories of every project, and global ones',
    '  --since <date>      only memories of that day or later, such as 2026-01-31',
    '  --with-superseded   also memories that a newer one has replaced',
    '  --out <file>        write to a file that only you can read, instead of stdout',
  ].join('\n'),
  options: {
    format: { type: 'string' },
    project: { type: 'string' },
    all: { type: 'boolean' },
    since: { type: 'string' },
    'with-superseded': { type: 'boolean' },
    out: { type: 'string' },
  },
  async run(call) {
    const format = formatFrom(call.options.format);
    const since = parseSince(call.options.since);
    readMemory(call, () => {});
    const store = openReadingStore(call.paths.database);
    try {
      const query: ExportQuery = {
        ...projectFrom(call, store),
        ...(since !== undefined && { since }),
        withSuperseded: call.options['with-superseded'] === true,
      };
      const pieces = exportMemories(store, query, { format, now: call.now() });
      const { out } = call.options;
      if (typeof out === 'string') writeFile(call, resolve(out), pieces);
      else for (const { text } of pieces) await writeOut(text);
      return 0;
    } finally {
      store.close();
    }
  },
};

function formatFrom(value: unknown): ExportFormat {
  return choiceOption('format', value ?? 'jsonl', EXPORT_FORMATS);
}

function projectFrom({ options }: Call, store: Store): { projectId?: number } {
  if (options.all && options.project !== undefined)
    throw new UsageError('Give either --project or --all, not both.');
  if (options.all) return {};
  const folder = typeof options.project === 'string' ? resolve(options.project) : process.cwd();
  const { project } = locate(store, folder);
  if (!project)
    throw new CommandError(
      `There are no memories of the project in ${folder}. All projects: cairn export --all`,
    );
  return { projectId: project.id };
}

function writeFile(call: Call, path: string, pieces: ReturnType<typeof exportMemories>): void {
  let count = 0;
  const texts = (function* () {
    for (const { text, memories } of pieces) {
      count += memories;
      yield text;
    }
  })();
  try {
    writePieces(path, texts);
  } catch (error) {
    const code = errorCode(error);
    if (!code || !/^E(?!RR_)[A-Z]+$/.test(code)) throw error;
    throw new CommandError(`${path} cannot be written (${code}).`);
  }
  call.err(`Wrote ${formatCount(count, 'memory', 'memories')} to ${path}`);
}
