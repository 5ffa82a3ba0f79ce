import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectsFolder } from '../agents/claude-code/transcript.ts';
import { type ImportOptions, type ImportResult, importTranscripts } from '../capture/import.ts';
import { createLog } from '../platform/log.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { withMemory } from './memory.ts';
import { createProgressLine } from './progress.ts';

export const command: Command = {
  name: 'import',
  summary: 'Past sessions, from the transcripts an agent kept, become memory',
  usage: 'import claude-code [--since <date>] [--project <folder>] [--session <id>] [--dry-run] [--json]',
  help: [
    'Oldest first. Ctrl-C stops it; the next time it goes on from there. What is known already is passed over.',
    '  --since <date>      only sessions that were at work on that day or later, such as 2026-01-31',
    '  --project <folder>  only sessions of the project in that folder',
    '  --session <id>      only this one, also to fill in what its hooks did not tell',
    '  --dry-run           counts what would be imported, and keeps nothing',
  ].join('\n'),
  options: {
    since: { type: 'string' },
    project: { type: 'string' },
    session: { type: 'string' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 1,
  async run(call) {
    const options = optionsFrom(call);
    const isDryRun = call.options['dry-run'] === true;
    const result = await withOpenStore(call, isDryRun, (store) => importAll(call, options, isDryRun, store));
    if (call.options.json) printJson(call, result);
    else print(call, result, isDryRun);
    // Looking at what is there starts the worker, if there is something to do.
    if (!isDryRun) withMemory(call, () => {});
    return result.isStopped ? 130 : 0;
  },
};

function optionsFrom({ positionals, options, env }: Call): ImportOptions {
  const [agent] = positionals;
  if (agent !== 'claude-code')
    throw new UsageError(agent ? `There are no transcripts of "${agent}" to import.` : 'From which agent?');
  const projects = projectsFolder(env);
  if (!existsSync(projects))
    throw new CommandError(
      `There are no transcripts: ${projects} is not there. If they are elsewhere, set CLAUDE_CONFIG_DIR.`,
    );
  return {
    projects,
    ...(typeof options.since === 'string' && { since: timeFrom(options.since) }),
    ...(typeof options.project === 'string' && { folder: resolve(options.project) }),
    ...(typeof options.session === 'string' && { session: options.session }),
  };
}

/** A day is meant as the person's own clock has it. */
function timeFrom(date: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date);
  const at = new Date(isDay ? `${date}T00:00:00` : date).getTime();
  if (Number.isNaN(at)) throw new UsageError(`--since takes a date such as 2026-01-31, not "${date}".`);
  return at;
}

async function withOpenStore<T>(
  call: Call,
  isDryRun: boolean,
  work: (store: Store | null) => Promise<T>,
): Promise<T> {
  const { database } = call.paths;
  if (isDryRun && !existsSync(database)) return work(null);
  // What hooks told comes first, and tells what need not be imported.
  if (!isDryRun) withMemory(call, () => {});
  const store = openSqliteStore(database, { busyMs: 10_000 });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

async function importAll(
  call: Call,
  options: ImportOptions,
  isDryRun: boolean,
  store: Store | null,
): Promise<ImportResult> {
  const { paths, settings, now } = call;
  const stop = new AbortController();
  const onStop = () => stop.abort();
  process.on('SIGINT', onStop).on('SIGTERM', onStop);
  const line = createProgressLine(
    {
      isTerminal: process.stderr.isTTY === true,
      width: process.stderr.columns ?? 80,
      write: (text) => process.stderr.write(text),
      now,
    },
    'events',
  );
  const log = createLog({
    folder: paths.logs,
    level: isDryRun ? 'off' : settings['log.level'],
    from: 'import',
  });
  try {
    const result = await importTranscripts(
      { paths, settings, log, now, store, isDryRun },
      {
        ...options,
        stop: stop.signal,
        onProgress: ({ bytes, allBytes, added }) => line.show({ done: bytes, all: allBytes, items: added }),
      },
    );
    log.info('transcripts imported', {
      sessions: result.sessions,
      events: result.added,
      broken: result.broken,
    });
    return result;
  } finally {
    line.clear();
    process.off('SIGINT', onStop).off('SIGTERM', onStop);
  }
}

function print({ out, err }: Call, result: ImportResult, isDryRun: boolean): void {
  for (const { where, why } of result.brokenLines) err(`Skipped ${where}: ${why}.`);
  const more = result.broken - result.brokenLines.length;
  if (more > 0) err(`Skipped ${more} more.`);
  const { prompts, calls, added } = result;
  const what = `${prompts} prompts and ${calls} tool calls (${added} events) of ${result.sessions} sessions`;
  if (isDryRun) out(`${what} would be imported. Nothing was kept.`);
  else if (result.isStopped) out(`Stopped after ${what}. The same command goes on from here.`);
  else if (added === 0) out(`Nothing new in ${result.allSessions} sessions.`);
  else out(`Imported ${what}.`);
}
