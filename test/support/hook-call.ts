import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildHookCommand } from '../../src/agents/install/hook-command.ts';
import { drain } from '../../src/capture/drain.ts';
import { prepareHome } from '../../src/capture/home.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { hookProgram } from '../../src/platform/installation.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import type { ProcessRun } from './hooks-library.ts';
import { openPlainStore, type PlainStore } from './plain-store.ts';

/** A miniature machine for hook calls: a home that is ready to capture, and a project. */
export interface HookWorld {
  root: string;
  home: string;
  project: string;
  paths: Paths;
  /** A copy of the launcher in the home, which some tests remove. */
  launcher: string;
  /** The complete environment of a hook call. */
  env: Record<string, string>;
}

export const SILENCE: ProcessRun = { stdout: '', stderr: '', exitCode: 0 };

/** Its root is in `folder`, which the test removes. */
export function makeHookWorld(folder: string, homeName = 'home'): HookWorld {
  const root = mkdtempSync(join(folder, 'world-'));
  const home = join(root, homeName);
  const project = join(root, 'project');
  const runtime = join(root, 'runtime');
  for (const made of [project, runtime]) mkdirSync(made);
  prepareHome(home, process.env.PATH);
  const paths = pathsOf(home);
  // The first session would otherwise begin every answer with a welcome.
  writeFileSync(join(paths.state, 'welcomed'), '');
  const launcher = join(root, 'cairn');
  copyFileSync(paths.launcher, launcher);
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: root,
    CAIRN_HOME: home,
    XDG_RUNTIME_DIR: runtime,
    CAIRN_NO_WORKER: '1',
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: project,
  };
  return { root, home, project, paths, launcher, env };
}

/** How an agent calls a hook: the answering program directly, or the command of an installed hook. */
export type HookWay = 'node' | 'shell';

export interface HookCallOptions {
  agent?: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
  /** Replaces the built program; only for `node`. */
  program?: string;
}

export function callHook(
  world: HookWorld,
  way: HookWay,
  event: string,
  options: HookCallOptions = {},
): Promise<ProcessRun> {
  const { agent = 'claude-code', input = '', env, cwd = world.project, program = hookProgram() } = options;
  const run = { cwd, input, env: { ...world.env, ...env } };
  if (way === 'node') return runProgram(process.execPath, [program, agent, event, 'settings'], run);
  return runProgram('/bin/sh', ['-c', installedCommand(world, event).replace('claude-code', agent)], run);
}

/** The command in the agent's settings. */
export function installedCommand({ paths }: HookWorld, event: string): string {
  const { captureScript } = paths;
  const command = buildHookCommand('claude-code', {
    platform: 'linux',
    captureScript,
    interpreter: process.execPath,
    hookProgram: hookProgram(),
  });
  return command(event);
}

/** Runs a program with exactly this environment, until its streams have ended. */
export async function runProgram(
  program: string,
  args: string[],
  { cwd, env, input = '' }: { cwd: string; env: Record<string, string>; input?: string | Uint8Array },
): Promise<ProcessRun> {
  const child = spawn(program, args, { cwd, env });
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    seen.stderr += text;
  });
  // The program may exit before it has read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done);
  });
  return { ...seen, exitCode };
}

/** A recorded payload of Claude Code, with changes. */
export function recorded(name: string, changes: Record<string, unknown> = {}): string {
  const url = new URL(`../../src/agents/claude-code/payloads/${name}.json`, import.meta.url);
  return JSON.stringify({ ...JSON.parse(readFileSync(fileURLToPath(url), 'utf8')), ...changes });
}

/** Ingests the spool, then queries the store. */
export function afterIntake<T>({ paths, env }: HookWorld, ask: (store: PlainStore) => T): T {
  const { settings } = loadSettings(paths.config, readEnvironment(env));
  drain({ paths, settings, log: createLog({ folder: paths.logs, from: 'test' }), lockMs: 5_000 });
  const store = openPlainStore(paths.database);
  try {
    return ask(store);
  } finally {
    store.close();
  }
}
