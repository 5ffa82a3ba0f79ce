import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteForShell } from '../../src/platform/shell.ts';
import type { AgentWorld } from './agent-world.ts';

export interface FaultyHook {
  /** What its calls did, in order. */
  deeds(): string[];
  /** Ends the hanging call if the client has not done so. */
  end(): void;
}

/**
 * Replaces the hook program of the installed Cairn with one that hangs at its first call and then alternates between
 * printing garbage and being killed. Marks in the outbox make every event of the agent call it, not only answered ones.
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
  /** The number of hooks that were started. */
  count(): number;
  /** The pids of those that are still running. */
  listAlive(): number[];
  /** Ends those that the client has left running. */
  end(): void;
}

/**
 * Replaces the script that the agent's hook commands source with one that hangs at every call, longer than any test.
 */
export function plantHangingHook({ home, root }: Pick<AgentWorld, 'home' | 'root'>): HangingHook {
  const calls = join(root, 'hanging-hook');
  writeFileSync(calls, '');
  // The commands source it: the process of the command itself hangs and holds its streams.
  writeFileSync(join(home, '.cairn/capture.sh'), `echo "$$" >>${quoteForShell(calls)}\nexec sleep 600\n`);
  const list = () => readFileSync(calls, 'utf8').split('\n').filter(Boolean).map(Number);
  const listAlive = () => list().filter(isRunning);
  return {
    count: () => list().length,
    listAlive,
    end: () => listAlive().forEach(endProcess),
  };
}

/** An exited process remains in the table as a zombie until its parent reaps it. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

function listHookPrograms(cairn: string): string[] {
  return readdirSync(join(cairn, 'app')).map((version) => join(cairn, 'app', version, 'dist/hook.cjs'));
}

/** A call that hangs holds its streams for longer than any test lets a client run. */
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
