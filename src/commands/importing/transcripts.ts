import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { transcriptAgents } from '../../agents/all.ts';
import { type ImportOptions, type ImportResult, importTranscripts } from '../../capture/import.ts';
import { openLog } from '../../capture/open-log.ts';
import { formatCount } from '../../context/words.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type Call, CommandError, printJson, UsageError } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { type ProgressControl, withProgress } from './progress.ts';
import { parseSince } from './since.ts';

/** `cairn import <agent>`: past sessions, from the agent's transcripts. */
export async function importFromTranscripts(call: Call): Promise<number> {
  const options = optionsFrom(call);
  const isDryRun = call.options['dry-run'] === true;
  const result = await withProgress(call, 'events', (control) =>
    withOpenStore(call, isDryRun, (store) => importAll(call, options, { isDryRun, store, ...control })),
  );
  if (call.options.json) printJson(call, result);
  else print(call, result, isDryRun);
  // Listing the result starts the worker if there is something to do.
  if (!isDryRun) withMemory(call, () => {});
  return result.isStopped ? 130 : 0;
}

function optionsFrom({ options, env, positionals }: Call): ImportOptions {
  const agent = transcriptAgents().find(({ id }) => id === positionals[0]);
  if (!agent) throw new UsageError(`Cairn cannot read transcripts of "${positionals[0]}".`);
  const transcripts = agent.transcripts.folder(env);
  if (!existsSync(transcripts))
    throw new CommandError(
      `There are no transcripts: ${transcripts} does not exist. If they are elsewhere, set CLAUDE_CONFIG_DIR.`,
    );
  const since = parseSince(options.since);
  return {
    agent,
    transcripts,
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
  // Spool files first: they decide what need not be imported.
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
  { isDryRun, store, stop, show }: { isDryRun: boolean; store: Store | null } & ProgressControl,
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
  const what = `${formatCount(prompts, 'prompt')} and ${formatCount(calls, 'tool call')} (${formatCount(added, 'event')}) of ${formatCount(result.sessions, 'session')}`;
  if (isDryRun) out(`${what} would be imported. Nothing was stored.`);
  else if (result.isStopped) out(`Stopped after ${what}. Run the same command to continue.`);
  else if (added === 0) out(`Nothing new in ${formatCount(result.allSessions, 'session')}.`);
  else out(`Imported ${what}.`);
}
