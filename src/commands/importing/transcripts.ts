import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { transcriptAgents } from '../../agents/all.ts';
import { type ImportOptions, type ImportResult, importTranscripts } from '../../capture/import.ts';
import { openLog } from '../../capture/open-log.ts';
import type { IngestOptions } from '../../capture/transcripts.ts';
import { formatCount } from '../../context/words.ts';
import { UnreadableDatabase } from '../../platform/other-database.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type Call, CommandError, printJson, UsageError } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { type ProgressControl, withProgress } from './progress.ts';
import { parseSince } from './since.ts';

/** `cairn import <agent>`: imports past sessions from the agent's transcripts. */
export async function importFromTranscripts(call: Call): Promise<number> {
  const options = optionsFrom(call);
  const isDryRun = call.options['dry-run'] === true;
  const result = await withProgress(call, 'events', (control) =>
    withOpenStore(call, isDryRun, (store) => importAll(call, options, { isDryRun, store, ...control })),
  ).catch(explainUnreadable);
  if (call.options.json) printJson(call, result);
  else print(call, result, isDryRun);
  // withMemory starts the worker if there are jobs for it.
  if (!isDryRun) withMemory(call, () => {});
  return result.isStopped ? 130 : 0;
}

/** Only for sessions that cannot be listed: one that cannot be read later is skipped with a message. */
function explainUnreadable(error: unknown): never {
  if (error instanceof UnreadableDatabase) throw new CommandError(`Nothing was imported: ${error.message}`);
  throw error;
}

function optionsFrom({ options, env, positionals }: Call): ImportOptions {
  const agent = transcriptAgents().find(({ id }) => id === positionals[0]);
  if (!agent) throw new UsageError(`Cairn cannot read transcripts of "${positionals[0]}".`);
  const transcripts = agent.transcripts.folder(env);
  if (!existsSync(transcripts))
    throw new CommandError(`There are no transcripts of ${agent.name}: ${transcripts} does not exist.`);
  const since = parseSince(options.since);
  return {
    agent,
    transcripts,
    ...(since !== undefined && { since }),
    ...(typeof options.project === 'string' && { folder: resolve(options.project) }),
    ...(typeof options.session === 'string' && { session: options.session }),
  };
}

/** A dry run creates no home. */
export async function withOpenStore<T>(
  call: Call,
  isDryRun: boolean,
  work: (store: Store | null) => Promise<T>,
): Promise<T> {
  const { database } = call.paths;
  if (isDryRun && !existsSync(database)) return work(null);
  // Spool files first: their events need not be imported.
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
  { isDryRun, store, stop, show }: { isDryRun: boolean; store: Store | null } & ProgressControl,
): Promise<ImportResult> {
  const ingest = createIngest(call, store, isDryRun);
  const result = await importTranscripts(ingest, {
    ...options,
    stop,
    onProgress: ({ bytes, allBytes, added }) => show({ done: bytes, all: allBytes, items: added }),
  });
  logResult(ingest, result);
  return result;
}

export function createIngest(
  { paths, settings, now }: Call,
  store: Store | null,
  isDryRun: boolean,
): IngestOptions {
  const level = isDryRun ? 'off' : settings['log.level'];
  const log = openLog({ folder: paths.logs, level, from: 'import' });
  return { paths, settings, log, now, store, isDryRun };
}

export function logResult({ log }: IngestOptions, { sessions, added, broken }: ImportResult): void {
  log.info('transcripts imported', { sessions, events: added, broken });
}

export function printBroken({ err }: Call, result: ImportResult): void {
  for (const { where, why } of result.brokenLines) err(`Skipped ${where}: ${why}.`);
  const more = result.broken - result.brokenLines.length;
  if (more > 0) err(`Skipped ${more} more.`);
}

/** `14 prompts and 23 tool calls (62 events) of 5 sessions` */
export function describeResult({ prompts, calls, added, sessions }: ImportResult): string {
  const what = `${formatCount(prompts, 'prompt')} and ${formatCount(calls, 'tool call')}`;
  return `${what} (${formatCount(added, 'event')}) of ${formatCount(sessions, 'session')}`;
}

function print(call: Call, result: ImportResult, isDryRun: boolean): void {
  const { out } = call;
  printBroken(call, result);
  const what = describeResult(result);
  if (isDryRun) out(`${what} would be imported. Nothing was stored.`);
  else if (result.isStopped) out(`Stopped after ${what}. Run the same command to continue.`);
  else if (result.added === 0) out(`Nothing new in ${formatCount(result.allSessions, 'session')}.`);
  else out(`Imported ${what}.`);
}
