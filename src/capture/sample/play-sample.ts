import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildHookCommand } from '../../agents/install/hook-command.ts';
import { makePrivateFolder } from '../../platform/files.ts';
import { hookProgram } from '../../platform/installation.ts';
import type { Paths } from '../../platform/paths.ts';
import { type RecordedCall, readRecording } from './recording.ts';

/** Runs one hook command to its end, as the agent would. */
export type RunHook = (call: {
  command: string;
  cwd: string;
  env: Record<string, string>;
  input: string;
}) => Promise<unknown>;

const AGENT = 'claude-code';

/**
 * Plays the recorded session through the hooks of this home, as a new session in its own project. When
 * `untilDistilled` has resolved, another session starts and ends, and gets the memories of the first as context.
 */
export async function playSample(
  paths: Paths,
  options: {
    searchPath: string;
    pauseMs: number;
    signal: AbortSignal;
    run: RunHook;
    untilDistilled(): Promise<void>;
  },
): Promise<void> {
  const { searchPath, pauseMs, signal, run, untilDistilled } = options;
  const project = paths.sample;
  prepareProject(project);
  const commandFor = buildHookCommand(AGENT, {
    platform: process.platform,
    captureScript: paths.captureScript,
    interpreter: process.execPath,
    hookProgram: hookProgram(),
  });
  const env = {
    PATH: searchPath,
    HOME: join(project, '..'),
    CAIRN_HOME: paths.home,
    // This process is the worker.
    CAIRN_NO_WORKER: '1',
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: project,
  };
  const play = async (calls: RecordedCall[]) => {
    const session = randomUUID();
    for (const { event, payload } of calls) {
      // The hook is registered only for tools that read a file or end a plan.
      if (event === 'PreToolUse' && payload.tool_name !== 'Read') continue;
      const input = JSON.stringify({ ...payload, session_id: session });
      await run({
        ...{ command: commandFor(event), cwd: project, input },
        env: { ...env, CLAUDE_CODE_SESSION_ID: session },
      });
      await wait(pauseMs, undefined, { signal });
    }
  };
  const recorded = readRecording({ userHome: env.HOME, project });
  await play(recorded);
  await untilDistilled();
  await play(recorded.filter(({ event }) => event === 'SessionStart' || event === 'SessionEnd'));
}

/** Makes the sample a repository; otherwise a home inside a repository would make the sample part of it. */
function prepareProject(project: string): void {
  makePrivateFolder(join(project, '.git', 'refs'));
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n', { mode: 0o600 });
}
