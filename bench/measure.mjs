import { spawn } from 'node:child_process';
import fs from 'node:fs';

/** Times one call as an agent makes it: from the start of the process until it has ended and its pipes are closed. */
export function timeCall({ program, args, env, cwd = '/', input = '' }) {
  return new Promise((done, fail) => {
    const output = { stdout: '', stderr: '' };
    const began = process.hrtime.bigint();
    const child = spawn(program, args, { env, cwd, stdio: 'pipe' });
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    }
    child.on('error', fail);
    child.on('close', (exitCode) => {
      done({ ms: Number(process.hrtime.bigint() - began) / 1e6, exitCode, ...output });
    });
    // /bin/true does not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * Runs all subjects in turn, once per round, and starts each round with another one, so other load on the machine
 * affects them equally. A subject is `{ name, call(), before?(), after?(result) }`; only the call is timed. A subject
 * with `run()` instead of `call()` runs in this process.
 */
export async function interleave(subjects, { runs, warmUps = 3, say = () => {}, title = '' }) {
  const times = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < runs; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(Math.abs(round) + turn) % subjects.length];
      await subject.before?.();
      const result = await (subject.run ? timeRun(subject.run) : timeCall(subject.call()));
      await subject.after?.(result);
      if (round >= 0) times.get(subject.name).push(result.ms);
    }
    if (round > 0 && round % 50 === 0) say(`  ${title}: ${round} of ${runs} rounds`);
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, spread(all)]));
}

async function timeRun(run) {
  const began = process.hrtime.bigint();
  const returned = await run();
  return { ms: Number(process.hrtime.bigint() - began) / 1e6, returned };
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), runs: sorted.length };
}

/** The floors for all comparisons: the smallest program, the shell that an agent starts, and an empty node. */
export function floors(env) {
  return [
    { name: '/bin/true', call: () => ({ program: '/bin/true', args: [], env }) },
    { name: '/bin/sh -c true', call: () => ({ program: '/bin/sh', args: ['-c', 'true'], env }) },
    emptyNode(env),
  ];
}

export function emptyNode(env) {
  return { name: 'node -e 0', call: () => ({ program: process.execPath, args: ['-e', '0'], env }) };
}

/** Resident memory in megabytes. */
export function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
