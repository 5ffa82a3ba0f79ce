import { readFileSync } from 'node:fs';
import { settingsPath } from '../../agents/claude-code/installer.ts';
import type { Json } from '../../model/json.ts';
import { findProgram } from '../../platform/installation.ts';
import { hooksInSettings } from './hooks-in-settings.ts';
import type { RecordedCall } from './recording.ts';
import { median, type RunIn, type TimedRun, timedRun } from './timed-run.ts';
import type { TourWorld } from './world.ts';

/** One hook, as the agent ran it, and what the machine needs for nothing at all at the same moment. */
export interface Played {
  hook: TimedRun;
  nothingMs: number;
  nodeMs: number;
}

/** Runs what the settings say for one event. None when no hook is registered for it. */
export async function playCall(world: TourWorld, call: RecordedCall, signal: AbortSignal): Promise<Played[]> {
  const { event, payload } = call;
  const settings: Json = JSON.parse(readFileSync(settingsPath({ userHome: world.userHome }), 'utf8'));
  const tool = typeof payload.tool_name === 'string' ? payload.tool_name : undefined;
  const where: RunIn = {
    cwd: world.project,
    env: {
      PATH: world.searchPath,
      HOME: world.userHome,
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: world.project,
      CLAUDE_CODE_SESSION_ID: String(payload.session_id),
    },
    input: JSON.stringify(payload),
  };
  const played: Played[] = [];
  for (const command of hooksInSettings(settings, event, tool)) {
    const hook = await timedRun('/bin/sh', ['-c', command], where);
    const nothing = await timedRun(trueProgram(), [], where);
    const node = await timedRun(process.execPath, ['-e', '0'], where);
    // Ctrl-C reaches the hook too; what it says of that is no finding.
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

export function mediansOf(played: Played[]): Medians {
  const silent = played.filter(({ hook }) => hook.stdout === '');
  return {
    silent: median(silent.map(({ hook }) => hook.ms)),
    nothing: median(played.map(({ nothingMs }) => nothingMs)),
    node: median(played.map(({ nodeMs }) => nodeMs)),
  };
}

/** /bin/true, or wherever this system keeps it. */
export function trueProgram(): string {
  return findProgram('true', '/bin:/usr/bin') ?? 'true';
}
