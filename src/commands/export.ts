import { resolve } from 'node:path';
import { storedPlaceOf } from '../capture/stored-place.ts';
import { counted } from '../context/words.ts';
import { errorCode, writePieces } from '../platform/files.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportQuery, exportPieces } from '../port/export.ts';
import { openReadingStore } from '../store/sqlite/reading-store.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, UsageError } from './command.ts';
import { sinceFrom } from './importing/since.ts';
import { writeOut } from './output.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'export',
  summary: 'Write memories as JSON lines, to keep or to import elsewhere, or as Markdown, to read',
  usage:
    'export [--format jsonl|markdown] [--project <folder> | --all] [--since <date>] [--with-superseded] [--out <file>]',
  help: [
    'The memories of this project, unless said otherwise. "cairn import cairn <file>" takes JSON lines in again.',
    '  --format            jsonl (what comes back in again) or markdown (by project and day)',
    '  --project <folder>  the memories of the project in that folder',
    '  --all               those of every project, and those that hold in all',
    '  --since <date>      only what was learnt on that day or later, such as 2026-01-31',
    '  --with-superseded   also what a newer memory has replaced',
    '  --out <file>        into a file that only you can read, instead of to stdout',
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
    const since = sinceFrom(call.options.since);
    readMemory(call, () => {});
    const store = openReadingStore(call.paths.database);
    try {
      const query: ExportQuery = {
        ...projectFrom(call, store),
        ...(since !== undefined && { since }),
        withSuperseded: call.options['with-superseded'] === true,
      };
      const pieces = exportPieces(store, query, { format, now: call.now() });
      const { out } = call.options;
      if (typeof out === 'string') writeFile(call, resolve(out), pieces);
      else for (const { text } of pieces) await writeOut(text);
      return 0;
    } finally {
      store.close();
    }
  },
};

function formatFrom(given: unknown): ExportFormat {
  const format = EXPORT_FORMATS.find((each) => each === (given ?? 'jsonl'));
  if (!format) throw new UsageError(`--format takes ${EXPORT_FORMATS.join(' or ')}.`);
  return format;
}

function projectFrom({ options }: Call, store: Store): { projectId?: number } {
  if (options.all && options.project !== undefined)
    throw new UsageError('Either --project or --all, not both.');
  if (options.all) return {};
  const folder = typeof options.project === 'string' ? resolve(options.project) : process.cwd();
  const project = store.findProject(storedPlaceOf(folder));
  if (!project)
    throw new CommandError(`Nothing is known of the project in ${folder}. All projects: cairn export --all`);
  return { projectId: project.id };
}

function writeFile(call: Call, path: string, pieces: ReturnType<typeof exportPieces>): void {
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
  call.err(`Wrote ${counted(count, 'memory', 'memories')} to ${path}`);
}
