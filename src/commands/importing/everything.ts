import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { transcriptAgents } from '../../agents/all.ts';
import {
  type ImportOptions,
  type ImportPlan,
  type ImportResult,
  importTranscripts,
  planImport,
} from '../../capture/import.ts';
import { formatCount } from '../../context/words.ts';
import { UnreadableDatabase } from '../../platform/other-database.ts';
import type { Store } from '../../store/store.ts';
import type { Ask } from '../support/ask.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { type ProgressControl, withProgress } from './progress.ts';
import { parseSince } from './since.ts';
import { createIngest, describeResult, logResult, printBroken, withOpenStore } from './transcripts.ts';

/** `cairn import`: past sessions of every agent on this machine. */
export async function importEverything(call: Call, ask: Ask): Promise<number> {
  const unreadable: string[] = [];
  const sources = await withOpenStore(call, true, async (store) => findSources(call, store, unreadable));
  for (const why of unreadable) call.err(why);
  const bytes = sources.reduce((sum, { plan }) => sum + plan.bytes, 0);
  if (bytes === 0) return reportNothing(call, sources);
  if (!call.options.json) printSources(call, sources);
  if (call.options['dry-run']) {
    if (call.options.json) printJson(call, { agents: sources.map(describeSource), status: 'dry-run' });
    else call.out('Nothing was stored.');
    return 0;
  }
  if (!(await isConfirmed(call, ask))) return 1;

  const results = await withProgress(call, 'events', (control) =>
    withOpenStore(call, false, (store) => importAll(call, store, control)),
  );
  if (call.options.json)
    printJson(call, { agents: results.map(({ agent, result }) => ({ agent: agent.id, ...result })) });
  else for (const each of results) printResult(call, each);
  // withMemory starts the worker if there are jobs for it.
  withMemory(call, () => {});
  return results.some(({ result }) => result.isStopped) ? 130 : 0;
}

interface Source {
  options: ImportOptions;
  plan: ImportPlan;
}

interface SourceResult {
  agent: ImportOptions['agent'];
  result: ImportResult;
}

/** The agents with transcripts on this machine. `unreadable` collects why an agent is left out. */
function findSources(call: Call, store: Store | null, unreadable: string[] = []): Source[] {
  const { options, env } = call;
  const since = parseSince(options.since);
  const ingest = createIngest(call, store, true);
  return transcriptAgents().flatMap((agent) => {
    const transcripts = agent.transcripts.folder(env);
    if (!existsSync(transcripts)) return [];
    const chosen: ImportOptions = {
      agent,
      transcripts,
      ...(since !== undefined && { since }),
      ...(typeof options.project === 'string' && { folder: resolve(options.project) }),
    };
    try {
      const plan = planImport(ingest, chosen);
      return plan.sessions.length > 0 ? [{ options: chosen, plan }] : [];
    } catch (error) {
      if (!(error instanceof UnreadableDatabase)) throw error;
      unreadable.push(`Skipped ${agent.name}: ${error.message}`);
      return [];
    }
  });
}

/** Imports one agent after the other, with one progress bar for all. */
async function importAll(
  call: Call,
  store: Store | null,
  { stop, show }: ProgressControl,
): Promise<SourceResult[]> {
  const ingest = createIngest(call, store, false);
  // Planned again, because spool files have been ingested meanwhile.
  const sources = findSources(call, store);
  const all = sources.reduce((sum, { plan }) => sum + plan.bytes, 0);
  const results: SourceResult[] = [];
  const sumOf = (field: 'bytes' | 'added') => results.reduce((sum, { result }) => sum + result[field], 0);
  for (const { options, plan } of sources) {
    const [done, items] = [sumOf('bytes'), sumOf('added')];
    const onProgress: ImportOptions['onProgress'] = ({ bytes, added }) =>
      show({ done: done + bytes, all, items: items + added });
    const result = await importTranscripts(ingest, { ...options, stop, onProgress }, plan);
    logResult(ingest, result);
    results.push({ agent: options.agent, result });
    if (result.isStopped) break;
  }
  return results;
}

/** Without a terminal only `--yes` confirms: the import may read years of sessions. */
async function isConfirmed({ isTerminal, options, out }: Call, ask: Ask): Promise<boolean> {
  if (options.yes) return true;
  if (!isTerminal || options.json)
    throw new CommandError('Nothing was imported. To import all of them without being asked, add --yes.');
  if (await ask('Import them?')) return true;
  out('Nothing was imported.');
  return false;
}

function reportNothing(call: Call, sources: Source[]): number {
  const sessions = sources.reduce((sum, { plan }) => sum + plan.sessions.length, 0);
  if (call.options.json) printJson(call, { agents: [] });
  else if (sessions > 0) call.out(`Nothing new in ${formatCount(sessions, 'session')}.`);
  else call.out(`No past sessions found. Cairn reads those of ${knownNames()}.`);
  return 0;
}

function knownNames(): string {
  const names = transcriptAgents().map(({ name }) => name);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function describeSource({ options: { agent, transcripts }, plan }: Source) {
  return { agent: agent.id, folder: transcripts, sessions: plan.sessions.length, bytes: plan.bytes };
}

function printSources({ out }: Call, sources: Source[]): void {
  const width = Math.max(...sources.map(({ options }) => options.agent.id.length));
  for (const { options, plan } of sources) {
    const sessions = formatCount(plan.sessions.length, 'session');
    const size = plan.bytes === 0 ? 'nothing new' : `${formatSize(plan.bytes)} not read yet`;
    out(`  ${options.agent.id.padEnd(width)}  ${sessions}, ${size}`);
  }
}

function formatSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function printResult(call: Call, { agent, result }: SourceResult): void {
  printBroken(call, result);
  const what = describeResult(result);
  if (result.isStopped) call.out(`${agent.name}: stopped after ${what}. Run the same command to continue.`);
  else if (result.added === 0)
    call.out(`${agent.name}: nothing new in ${formatCount(result.allSessions, 'session')}.`);
  else call.out(`${agent.name}: imported ${what}.`);
}
