import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type HookWorld, installedCommand } from './hook-call.ts';

/** A process that runs installed hooks as its children, as an agent does. */
export interface FakeAgent {
  pid: number;
  /** @returns what the hook printed. */
  runHook(event: string, payload: object): Promise<string>;
  /** Resolves when the process has exited. */
  kill(): Promise<void>;
}

/** Runs the command in each line of its input, and prints the command's output as one line. */
const PROGRAM = `
  const { spawnSync } = require('node:child_process');
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { command, input } = JSON.parse(line);
    const { stdout } = spawnSync('/bin/sh', ['-c', command], { input, encoding: 'utf8' });
    process.stdout.write(JSON.stringify(stdout) + '\\n');
  });`;

/** The caller has to kill it. */
export function startFakeAgent(world: HookWorld, session: string): FakeAgent {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, ['-e', PROGRAM], {
    cwd: world.project,
    env: { ...world.env, CLAUDE_CODE_SESSION_ID: session },
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  async function runHook(event: string, payload: object): Promise<string> {
    const common = { session_id: session, hook_event_name: event, cwd: world.project };
    const input = JSON.stringify({ ...common, ...payload });
    child.stdin.write(`${JSON.stringify({ command: installedCommand(world, event), input })}\n`);
    const { value } = await answers.next();
    return JSON.parse(value);
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  return { pid: child.pid ?? 0, runHook, kill };
}
