import { readFileSync } from 'node:fs';
import { claudeCodeInstaller } from '../../agents/install/installers.ts';
import type { Json } from '../../model/json.ts';
import { findProgram } from '../../platform/installation.ts';
import { findHookCommands } from './hooks-in-settings.ts';
import type { RecordedCall } from './recording.ts';
import type { TourSandbox } from './sandbox.ts';
import { computeMedian, type RunOptions, runTimed, type TimedRun } from './timed-run.ts';

/** The time of one hook, and of an empty process at the same moment. */
export interface PlayedCall {
  hook: TimedRun;
  nothingMs: number;
  nodeMs: number;
}

/** Runs the hooks of the settings for one event; none if no hook is registered. */
export async function playCall(
  sandbox: TourSandbox,
  call: RecordedCall,
  signal: AbortSignal,
): Promise<PlayedCall[]> {
  const { event, payload } = call;
  const settings: Json = JSON.parse(
    readFileSync(
      claudeCodeInstaller.settingsPath({ userHome: sandbox.userHome, variable: () => undefined }),
      'utf8',
    ),
  );
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
    // Ctrl-C reaches the hook too; its output then does not count.
    signal.throwIfAborted();
    if (hook.exitCode !== 0) throw new Error(`The hook ${event} ended with ${hook.exitCode}: ${hook.stderr}`);
    played.push({ hook, nothingMs: nothing.ms, nodeMs: node.ms });
  }
  return played;
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
