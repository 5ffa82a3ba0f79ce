import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectsFolder } from '../../agents/claude-code/transcript.ts';
import { type ImportOptions, type ImportResult, importTranscripts } from '../../capture/import.ts';
import { openLog } from '../../capture/open-log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type Call, CommandError, printJson } from '../command.ts';
import { withMemory } from '../memory.ts';
import { type Watched, withProgress } from './progress.ts';
import { sinceFrom } from './since.ts';

/** `cairn import claude-code`: past sessions, told by the agent's transcripts. */
export async function runTranscripts(call: Call): Promise<number> {
  const options = optionsFrom(call);
  const isDryRun = call.options['dry-run'] === true;
  const result = await withProgress(call, 'events', (watched) =>
    withOpenStore(call, isDryRun, (store) => importAll(call, options, { isDryRun, store, ...watched })),
  );
  if (call.options.json) printJson(call, result);
  else print(call, result, isDryRun);
  // Looking at what is there starts the worker, if there is something to do.
  if (!isDryRun) withMemory(call, () => {});
  return result.isStopped ? 130 : 0;
}

function optionsFrom({ options, env }: Call): ImportOptions {
  const projects = projectsFolder(env);
  if (!existsSync(projects))
    throw new CommandError(
      `There are no transcripts: ${projects} is not there. If they are elsewhere, set CLAUDE_CONFIG_DIR.`,
    );
  const since = sinceFrom(options.since);
  return {
    projects,
    ...(since !== undefined && { since }),
    ...(typeof options.project === 'string' && { folder: resolve(options.project) }),
    ...(typeof options.session === 'string' && { session: options.session }),
  };
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
  { paths, settings, now }: Call,
  options: ImportOptions,
  { isDryRun, store, stop, show }: { isDryRun: boolean; store: Store | null } & Watched,
): Promise<ImportResult> {
  const log = openLog({
    folder: paths.logs,
    level: isDryRun ? 'off' : settings['log.level'],
    from: 'import',
  });
  const result = await importTranscripts(
    { paths, settings, log, now, store, isDryRun },
    {
      ...options,
      stop,
      onProgress: ({ bytes, allBytes, added }) => show({ done: bytes, all: allBytes, items: added }),
    },
  );
  log.info('transcripts imported', {
    sessions: result.sessions,
    events: result.added,
    broken: result.broken,
  });
  return result;
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
