import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../dist/cli.mjs', import.meta.url));

/** A folder that is deleted when this process ends. */
export function workFolder() {
  const folder = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'cairn-bench-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  return folder;
}

/** Installs Cairn into a separate home by the public command. */
export function installedHome(folder, agent = 'claude-code') {
  const userHome = join(folder, 'home');
  const home = join(userHome, '.cairn');
  fs.mkdirSync(userHome, { recursive: true });
  const env = cleanEnvironment(userHome);
  execFileSync(process.execPath, [cli, 'install', agent, '--yes'], { env, stdio: 'pipe' });
  if (agent !== 'claude-code') return { home, env };
  const settings = JSON.parse(fs.readFileSync(join(userHome, '.claude/settings.json'), 'utf8'));
  const commands = Object.fromEntries(
    Object.entries(settings.hooks).map(([event, [entry]]) => [event, entry.hooks[0].command]),
  );
  return { home, env, commands };
}

/** Without the caller's variables: some, such as NODE_EXTRA_CA_CERTS, make an empty node three times as slow. */
function cleanEnvironment(userHome) {
  return { HOME: userHome, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', CLAUDECODE: '1' };
}

/** A hook call exactly as the agent makes it. */
export function hookCall({ env, commands }, { event, payload, folder, session }) {
  return {
    program: '/bin/sh',
    args: ['-c', commands[event]],
    env: { ...env, CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: session },
    cwd: folder,
    input: JSON.stringify(payload),
  };
}

/** A git repository with one commit. */
export function makeProject(folder) {
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  const git = (...args) => execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  fs.mkdirSync(folder, { recursive: true });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  return folder;
}

const MOST_WAIT_MS = 60_000;

/** Waits until the spool is empty (unless it may hold files) and stops the worker, which would stay for a minute. */
export async function untilQuiet(home, { spoolMayHoldFiles = false } = {}) {
  const until = Date.now() + MOST_WAIT_MS;
  while (workersOf(home).length > 0 || (!spoolMayHoldFiles && filesWaiting(home) > 0)) {
    if (Date.now() > until) throw new Error('The worker did not finish.');
    if (spoolMayHoldFiles || filesWaiting(home) === 0) fs.writeFileSync(join(home, 'state/stop-worker'), '');
    await wait(5);
  }
  fs.rmSync(join(home, 'state/stop-worker'), { force: true });
}

export function filesWaiting(home) {
  return fs.readdirSync(join(home, 'spool')).filter((name) => name.includes('.')).length;
}

/** Kills the workers that a hook of this home has started. */
export function stopWorkers(home) {
  for (const pid of workersOf(home)) process.kill(pid, 'SIGKILL');
}

function workersOf(home) {
  return fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && isWorker(pid, home))
    .map(Number);
}

function isWorker(pid, home) {
  try {
    const isIt = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith('worker.cjs\0');
    return isIt && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`CAIRN_HOME=${home}\0`);
  } catch {
    return false;
  }
}
