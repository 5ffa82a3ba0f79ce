import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedCall } from '../../capture/sample/recording.ts';
import { isObject, type Json } from '../../model/json.ts';
import { findProgram } from '../../platform/installation.ts';
import { findHookCommands } from './hooks-in-settings.ts';
import type { TourSandbox } from './sandbox.ts';
import { computeMedian, type RunOptions, runTimed, type TimedRun } from './timed-run.ts';

/** The time of one hook, and that of an empty process at the same moment. */
export interface PlayedCall {
  hook: TimedRun;
  nothingMs: number;
  nodeMs: number;
}

/** Runs the registered hooks for one event, possibly none. */
export async function playCall(
  sandbox: TourSandbox,
  call: RecordedCall,
  signal: AbortSignal,
): Promise<PlayedCall[]> {
  const { event, payload } = call;
  const settings = readSettings(sandbox);
  const tool = typeof payload.tool_name === 'string' ? payload.tool_name : undefined;
  const where: RunOptions = {
    cwd: sandbox.project,
    env: {
      PATH: sandbox.searchPath,
      HOME: sandbox.userHome,
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: sandbox.project,
      CLAUDE_CODE_SESSION_ID: String(payload.session_id),
    },
    input: JSON.stringify(payload),
  };
  const played: PlayedCall[] = [];
  for (const command of findHookCommands(settings, event, tool)) {
    const hook = await runTimed('/bin/sh', ['-c', command], where);
    const nothing = await runTimed(findTrueProgram(), [], where);
    const node = await runTimed(process.execPath, ['-e', '0'], where);
    // Ctrl-C also interrupts the hook, whose output then does not count.
    signal.throwIfAborted();
    if (hook.exitCode !== 0) throw new Error(`The hook ${event} ended with ${hook.exitCode}: ${hook.stderr}`);
    played.push({ hook, nothingMs: nothing.ms, nodeMs: node.ms });
  }
  return played;
}

/** The events that have hooks in the settings of the sandbox. */
export function countHooks(sandbox: TourSandbox): number {
  const settings = readSettings(sandbox);
  return isObject(settings) && isObject(settings.hooks) ? Object.keys(settings.hooks).length : 0;
}

function readSettings({ userHome }: TourSandbox): Json {
  return JSON.parse(readFileSync(join(userHome, '.claude/settings.json'), 'utf8'));
}

export interface Medians {
  silent: number;
  nothing: number;
  node: number;
}

export function computeMedians(played: PlayedCall[]): Medians {
  const silent = played.filter(({ hook }) => hook.stdout === '');
  return {
    silent: computeMedian(silent.map(({ hook }) => hook.ms)),
    nothing: computeMedian(played.map(({ nothingMs }) => nothingMs)),
    node: computeMedian(played.map(({ nodeMs }) => nodeMs)),
  };
}

export function findTrueProgram(): string {
  return findProgram('true', '/bin:/usr/bin') ?? 'true';
}
