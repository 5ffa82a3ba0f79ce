import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import type { StoredEvent } from '../../src/store/types/event.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import { removeFolder } from './remove-folder.ts';
import { until } from './until.ts';
import { CLI } from './world.ts';

/** A miniature machine for any client: its own home, one project under git, and no inherited environment. */
export interface AgentWorld {
  root: string;
  home: string;
  project: string;
  env: Record<string, string>;
}

export interface ProgramRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export function makeAgentWorld(): AgentWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-agent-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project, join(root, 'tmp')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Robin\n\temail = robin@example.invalid\n');
  writeFileSync(join(project, 'README.md'), '# Orchard\n');
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TMPDIR: join(root, 'tmp'),
    // Requests to the outside end at a closed port of this machine.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  };
  return { root, home, project, env };
}

export async function startProject(world: AgentWorld): Promise<void> {
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-qm', 'start'],
  ])
    await runProgram(world, 'git', args);
}

export async function removeAgentWorld(world: AgentWorld): Promise<void> {
  await runProgram(world, process.execPath, [CLI, 'worker', 'stop']);
  await removeFolder(world.root);
}

/** Runs the built `cairn` in the world's project. @returns what it printed. */
export async function cairnIn(world: AgentWorld, args: string[], input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(world, process.execPath, [CLI, ...args], { input });
  if (exitCode !== 0) throw new Error(`cairn ${args.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

/** Leaves a memory of an earlier session of another program: its closing words. */
export async function leaveMemory(world: AgentWorld, words: string): Promise<void> {
  const callHook = (event: string, fields: JsonObject) =>
    cairnIn(
      world,
      ['hook', 'raw', event],
      JSON.stringify({ session: 'earlier', cwd: world.project, ...fields }),
    );
  await callHook('session-start', {});
  await callHook('prompt', { text: 'Which port does the orchard server use, and why? Decide it.' });
  await callHook('turn-end', { text: words });
  await callHook('session-end', {});
  await cairnIn(world, ['worker', 'start']);
  await until('the memory of the earlier session', async () => {
    const memories = await cairnIn(world, ['recent', '--json']);
    return memories.includes('7070') ? true : undefined;
  });
}

/** The events and prompts that Cairn has stored of an agent's sessions. */
export async function readCaptured(world: AgentWorld, agent: string) {
  // Every command ingests the spool first.
  await cairnIn(world, ['sessions', '--json']);
  const database = openDatabase(join(cairnHome(world), 'cairn.db'), { busyMs: 5_000 });
  try {
    const events = database
      .prepare(
        `SELECT e.kind, e.tool, e.outcome FROM events e JOIN sessions s ON s.id = e.session_id
         WHERE s.agent = ? ORDER BY e.at, e.id`,
      )
      .all(agent) as { kind: string; tool: string | null; outcome: string | null }[];
    const prompts = database
      .prepare(
        'SELECT p.text FROM prompts p JOIN sessions s ON s.id = p.session_id WHERE s.agent = ? ORDER BY p.id',
      )
      .all(agent) as { text: string }[];
    return {
      kinds: events.map(({ kind }) => kind).filter((kind) => kind !== 'tool-end'),
      calls: events.flatMap(({ kind, tool, outcome }) => (kind === 'tool-end' ? [`${tool} ${outcome}`] : [])),
      prompts: prompts.map(({ text }) => text),
    };
  } finally {
    database.close();
  }
}

/** The commands that an agent ran and the names of the files that it opened. */
export async function readTouched(world: AgentWorld, agent: string) {
  const sessions: SessionDigest[] = JSON.parse(await cairnIn(world, ['sessions', '--json']));
  const own = sessions.filter((session) => session.agent === agent);
  const shown = own.map(async ({ agentSession }): Promise<StoredEvent[]> => {
    return JSON.parse(await cairnIn(world, ['show', agentSession, '--json'])).events;
  });
  const events = (await Promise.all(shown)).flat();
  return {
    commands: events.flatMap(({ does, input }) => (does === 'command' ? [JSON.stringify(input)] : [])),
    files: [...new Set(events.flatMap(({ files }) => files.map(({ path }) => basename(path))))].sort(),
  };
}

/** The conversation in a request to a model of any kind. */
export function textOfRequest(request: JsonObject | undefined): string {
  return JSON.stringify(request?.messages ?? request?.input ?? request?.contents ?? null);
}

function cairnHome({ home, env }: AgentWorld): string {
  return env.CAIRN_HOME ?? join(home, '.cairn');
}

/** Contents of files by path; null for missing files. */
export function readFiles(paths: string[]): Record<string, string | null> {
  return Object.fromEntries(paths.map((path) => [path, readIfThere(path)]));
}

export function writeJson(path: string, value: Json): void {
  writeText(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The files that an installation would write. */
export async function listWrittenFiles(world: AgentWorld, agent: string): Promise<string[]> {
  const plan: unknown = JSON.parse(await cairnIn(world, ['install', agent, '--dry-run', '--json']));
  const files = isObject(plan) && Array.isArray(plan.files) ? plan.files : [];
  return files.filter((path) => typeof path === 'string');
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

interface RunOptions {
  input?: string;
  env?: Record<string, string>;
}

/** Runs a program in the world's project, with the world's environment. */
export function runProgram(
  world: AgentWorld,
  program: string,
  args: string[],
  { input = '', env = {} }: RunOptions = {},
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: world.project,
      env: { ...world.env, ...env },
      // A separate process group: the time limit ends what the client started, and nothing else.
      detached: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, 120_000);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearTimeout(limit);
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
