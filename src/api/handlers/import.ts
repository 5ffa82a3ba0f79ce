import { createInterface } from 'node:readline';
import type { ApiOptions } from '../options.ts';
import { runOwnCommand, startOwnCommand } from '../own-command.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { ImportProgress, importRoutes } from '../routes/import.ts';

const LONGEST_LOOK_MS = 60_000;
/** The exit code after a signal. Everything read before it is stored. */
const STOPPED = 130;

export function createImportHandlers({ paths, wakeWorker }: ApiOptions): Handlers<typeof importRoutes> {
  let progress: ImportProgress = { state: 'idle', done: 0, all: 0, events: 0, problem: null };
  let child: ReturnType<typeof startOwnCommand> | null = null;

  function start(): void {
    const own = startOwnCommand(paths, ['import', '--yes', '--json']);
    child = own;
    progress = { state: 'running', done: 0, all: 0, events: 0, problem: null };
    let last = '';
    if (own.stderr)
      createInterface({ input: own.stderr }).on('line', (line) => {
        const read = readProgress(line);
        if (read) progress = { ...progress, ...read };
        else last = line;
      });
    const end = (exitCode: number | null) => {
      if (child !== own) return;
      child = null;
      const isWhole = exitCode === 0;
      const state = isWhole ? 'done' : exitCode === STOPPED ? 'idle' : 'failed';
      progress = {
        ...progress,
        ...{ state, problem: state === 'failed' ? last || 'The import ended early.' : null },
        ...(isWhole && { done: progress.all }),
      };
      wakeWorker();
    };
    own.once('close', end);
    own.once('error', () => end(null));
  }

  return {
    async findImports() {
      try {
        const found = JSON.parse(
          await runOwnCommand(paths, ['import', '--dry-run', '--json'], LONGEST_LOOK_MS),
        );
        return { agents: found.agents };
      } catch {
        throw new Problem(503, 'Looking for past sessions gave no answer. Run: cairn import --dry-run');
      }
    },
    getImport: () => ({ import: progress }),
    startImport() {
      if (child) throw new Problem(409, 'An import is running already.');
      start();
      return { import: progress };
    },
    stopImport() {
      if (!child) throw new Problem(409, 'No import is running.');
      child.kill('SIGINT');
      return { import: progress };
    },
  };
}

/** Parses a line written by support/progress.ts. */
function readProgress(line: string): Pick<ImportProgress, 'done' | 'all' | 'events'> | null {
  try {
    const { done, all, items } = JSON.parse(line);
    return { done: Number(done), all: Number(all), events: Number(items) };
  } catch {
    return null;
  }
}
