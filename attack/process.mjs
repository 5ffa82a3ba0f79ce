import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MOST_OUTPUT = 4 * 1024 * 1024;

/**
 * Runs a program in its own process group until its streams end. After `limitMs` the group is killed and the result
 * has `hung`.
 */
export function runProgram(program, args, { cwd, env, input = '', limitMs, onStart = () => {} }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true });
    const result = { code: null, signal: null, stdout: '', stderr: '', hung: false };
    const timer = setTimeout(() => {
      result.hung = true;
      killGroup(child.pid);
    }, limitMs);
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        if (result[stream].length < MOST_OUTPUT) result[stream] += text;
      });
    // A program may end before it has read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ ...result, stderr: error.message });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ ...result, code, signal });
    });
    if (child.pid !== undefined) onStart(child);
  });
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process ended by itself meanwhile.
  }
}

export function killProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** Finds processes of this home by their CAIRN_HOME, which every program in a sandbox gets. */
export function processesOf(home) {
  const mark = `CAIRN_HOME=${home}\0`;
  return processIds().filter((pid) => readProcess(pid, 'environ').includes(mark));
}

export function workersOf(home) {
  return processesOf(home).filter((pid) => /worker(-program)?\.cjs\0/.test(readProcess(pid, 'cmdline')));
}

/** Node processes that run the hook program below this shell. */
export function hookProcessesBelow(shell) {
  return descendantsOf(shell).filter((pid) => readProcess(pid, 'cmdline').includes('hook.cjs\0'));
}

function descendantsOf(pid) {
  const children = readProcess(`${pid}/task/${pid}`, 'children').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function processIds() {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number);
}

function readProcess(pid, file) {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Works through the items, at most `limit` at once, until the deadline. */
export async function inParallel(limit, items, deadline, work) {
  const waiting = items[Symbol.iterator]();
  async function lane() {
    for (const item of waiting) {
      if (Date.now() > deadline) return;
      await work(item);
    }
  }
  await Promise.all(Array.from({ length: limit }, lane));
}

export async function waitUntil(condition, limitMs, stepMs = 50) {
  const until = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > until) return false;
    await sleep(stepMs);
  }
  return true;
}
