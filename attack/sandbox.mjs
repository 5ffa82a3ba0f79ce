import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedHome } from '../bench/home.mjs';
import { killProcess, processesOf, runProgram, waitUntil } from './process.mjs';
import { completeSpoolFiles } from './spool.mjs';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** The agent gives a hook 5 seconds; twice as long counts as hung. */
export const HOOK_LIMIT_MS = 10_000;
export const COMMAND_LIMIT_MS = 30_000;
const DRAIN_LIMIT_MS = 60_000;
const REMOVAL_LIMIT_MS = 3_000;

/**
 * Installs the built product for Claude Code by the usual command into a temporary folder: `home/.cairn` is CAIRN_HOME,
 * `project` an empty working folder, `canary` a folder that must stay empty. `prepare` is called with CAIRN_HOME before
 * the installation; it may return a function that undoes its work.
 */
export function createSandbox(name, { prepare = () => {} } = {}) {
  const root = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), `cairn-attack-${name}-`));
  for (const folder of ['home/.cairn', 'project', 'canary', 'tmp'])
    fs.mkdirSync(join(root, folder), { recursive: true });
  const undo = prepare(join(root, 'home/.cairn')) ?? (() => {});
  try {
    const { home, env, commands } = installedHome(root);
    Object.assign(env, { CAIRN_HOME: home, TMPDIR: join(root, 'tmp'), USER: 'robin' });
    return { root, home, env, commands, undo, project: join(root, 'project'), canary: join(root, 'canary') };
  } catch (error) {
    undo();
    fs.rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/** Ends every process of the sandbox and removes its files. */
export async function removeSandbox({ root, home, undo }) {
  await endProcesses(home, REMOVAL_LIMIT_MS);
  undo();
  await fs.promises.rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** For the exit of this process, which cannot await anything. */
export function removeSandboxNow({ root, home, undo }) {
  for (const pid of processesOf(home)) killProcess(pid);
  undo();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Calls a hook like the agent: the command from its settings, in a shell, with the payload on stdin. */
export function callHook(
  { env, commands, project },
  event,
  payload,
  { session = 'none', cwd = project, projectDir = cwd, extraEnv = {}, onStart } = {},
) {
  return runProgram('/bin/sh', ['-c', commands[event]], {
    cwd,
    env: { ...env, CLAUDE_PROJECT_DIR: projectDir, CLAUDE_CODE_SESSION_ID: session, ...extraEnv },
    input: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    limitMs: HOOK_LIMIT_MS,
    onStart,
  });
}

/** Runs a command of the built `cairn`. */
export function runCairn({ env, project }, args, { cwd = project, input, limitMs = COMMAND_LIMIT_MS } = {}) {
  return runProgram(process.execPath, [join(dist, 'cli.mjs'), ...args], { cwd, env, input, limitMs });
}

export const cliPath = join(dist, 'cli.mjs');

/** Repeatedly asks the worker to stop, because a starting worker drops the request, then kills remaining processes. */
export async function endProcesses(home, limitMs = 10_000) {
  const stop = join(home, 'state/stop-worker');
  await waitUntil(() => {
    writeQuietly(stop);
    return processesOf(home).length === 0;
  }, limitMs);
  fs.rmSync(stop, { force: true });
  for (const pid of processesOf(home)) killProcess(pid);
}

function writeQuietly(path) {
  try {
    fs.writeFileSync(path, '');
  } catch {
    // If the home cannot be written, no worker is running that could read the request.
  }
}

/** Ends the worker and ingests the spool in the foreground. @returns whether that finished. */
export async function drain(sandbox) {
  await endProcesses(sandbox.home);
  const until = Date.now() + DRAIN_LIMIT_MS;
  do {
    const { env, project: cwd } = sandbox;
    const limitMs = DRAIN_LIMIT_MS;
    const { hung } = await runProgram(process.execPath, [join(dist, 'worker.cjs'), 'drain'], {
      cwd,
      env,
      limitMs,
    });
    if (hung) return false;
    if (completeSpoolFiles(sandbox.home).length === 0) return true;
  } while (Date.now() < until);
  return false;
}

/** Lets the worker run until it has ingested and distilled everything. @returns whether it has. */
export async function runWorker(sandbox, limitMs = 60_000) {
  await runCairn(sandbox, ['worker', 'start'], { limitMs });
  let isDone = false;
  const until = Date.now() + limitMs;
  while (!isDone && Date.now() < until) {
    const { stdout } = await runCairn(sandbox, ['queue', '--json'], { limitMs });
    isDone = completeSpoolFiles(sandbox.home).length === 0 && isQueueEmpty(stdout);
    if (!isDone) await waitUntil(() => false, 300);
  }
  return isDone;
}

function isQueueEmpty(json) {
  try {
    return !JSON.parse(json).some(({ state }) => state === 'waiting' || state === 'leased');
  } catch {
    return false;
  }
}
