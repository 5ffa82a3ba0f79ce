import { type ChildProcess, spawn } from 'node:child_process';
import { readEnvironment } from '../config/environment.ts';
import { cliProgram } from '../platform/installation.ts';
import type { Paths } from '../platform/paths.ts';
import { runProgram } from '../platform/run-program.ts';

/** Runs a command that takes seconds in a separate process, because the worker must answer other requests meanwhile. */
export async function runOwnCommand(paths: Paths, words: string[], longestMs: number): Promise<string> {
  const { stdout } = await runProgram(
    { program: process.execPath, args: [cliProgram(), ...words], ...placeOf(paths), input: '' },
    AbortSignal.timeout(longestMs),
  );
  return stdout;
}

export function startOwnCommand(paths: Paths, words: string[]): ChildProcess {
  return spawn(process.execPath, [cliProgram(), ...words], {
    ...{ ...placeOf(paths), windowsHide: true },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function placeOf({ home }: Paths) {
  const { userHome, searchPath } = readEnvironment();
  return { cwd: home, env: { HOME: userHome, PATH: searchPath, CAIRN_HOME: home } };
}
