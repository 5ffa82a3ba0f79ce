import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteForShell } from '../../src/platform/shell.ts';
import type { AgentWorld } from './agent-world.ts';

export interface FaultyHook {
  /** What its calls did so far, in order. */
  deeds(): string[];
  /** Ends the call that hangs, if the client did not. */
  end(): void;
}

/**
 * Replaces the hook program of the installed Cairn by one that hangs at its first call, prints garbage at the second, is
 * killed at the third, and so on with the latter two. Every event of the agent calls it, not only those that are answered.
 */
export function plantFaultyHook({ home, root }: AgentWorld): FaultyHook {
  const cairn = join(home, '.cairn');
  const calls = join(root, 'faulty-hook');
  mkdirSync(calls);
  for (const program of listHookPrograms(cairn)) writeFileSync(program, buildProgram(calls));
  mkdirSync(join(cairn, 'state/outbox-for'), { recursive: true });
  for (const mark of ['outbox', 'outbox-for/none']) writeFileSync(join(cairn, 'state', mark), '');
  const read = () => readdirSync(calls).sort();
  return {
    deeds: () => read().map((name) => name.slice(2)),
    end() {
      const hanging = read().find((name) => name.endsWith('hangs'));
      const pid = hanging === undefined ? 0 : Number(readFileSync(join(calls, hanging), 'utf8'));
      if (pid > 0) endProcess(pid);
    },
  };
}

export interface HangingHook {
  /** How many hooks were started. */
  count(): number;
  /** Those that still run. */
  listAlive(): number[];
  /** Ends what the client has left. */
  end(): void;
}

/** Replaces what the hook commands of the agent run by something that hangs at every call, longer than any test lasts. */
export function plantHangingHook({ home, root }: Pick<AgentWorld, 'home' | 'root'>): HangingHook {
  const calls = join(root, 'hanging-hook');
  writeFileSync(calls, '');
  // The commands source it, so that the process of the command itself hangs and holds its streams.
  writeFileSync(join(home, '.cairn/capture.sh'), `echo "$$" >>${quoteForShell(calls)}\nexec sleep 600\n`);
  const list = () => readFileSync(calls, 'utf8').split('\n').filter(Boolean).map(Number);
  const listAlive = () => list().filter(isRunning);
  return {
    count: () => list().length,
    listAlive,
    end: () => listAlive().forEach(endProcess),
  };
}

/** A process that has ended stays in the table until its parent asks for it. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

function listHookPrograms(cairn: string): string[] {
  return readdirSync(join(cairn, 'app')).map((version) => join(cairn, 'app', version, 'dist/hook.cjs'));
}

/** It holds its streams as long as it lives, which is longer than any client is given in a test. */
function buildProgram(calls: string): string {
  return `
    const { readdirSync, writeFileSync } = require('node:fs');
    const { join } = require('node:path');
    const calls = ${JSON.stringify(calls)};
    const DEEDS = ['hangs', 'garbage', 'killed'];
    for (let number = readdirSync(calls).length; ; number += 1) {
      const deed = DEEDS[number === 0 ? 0 : 1 + ((number - 1) % 2)];
      try {
        writeFileSync(join(calls, number + ' ' + deed), String(process.pid), { flag: 'wx' });
      } catch {
        continue;
      }
      if (deed === 'hangs') setTimeout(() => {}, 600_000);
      if (deed === 'killed') process.kill(process.pid, 'SIGKILL');
      if (deed === 'garbage') {
        process.stdout.write('{"decision":"block" \\u0000 not JSON\\n'.repeat(3));
        process.stderr.write('something is wrong\\n');
      }
      break;
    }`;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The client has ended it.
  }
}
