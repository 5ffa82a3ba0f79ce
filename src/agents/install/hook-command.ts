import { quoteForShell } from '../../platform/shell.ts';
import type { InstallPlace } from './agent-installer.ts';

export type BuildCommand = (event: string) => string;

type CommandPlace = Pick<InstallPlace, 'platform' | 'captureScript' | 'interpreter' | 'hookProgram'>;

/** The command for an event, for agents that run commands with a shell. */
export function buildHookCommand(
  agent: string,
  { platform, captureScript, interpreter, hookProgram }: CommandPlace,
  via = 'settings',
): BuildCommand {
  if (platform === 'win32') {
    const call = `${quoteForWindows(interpreter)} ${quoteForWindows(hookProgram)}`;
    return (event) => `${call} ${agent} ${event} ${via}`;
  }
  // Sourced by the shell that the client starts anyway. `command` keeps that shell from exiting with 2, which would
  // block the agent, if the script disappears between the test and the read.
  const start = `f=${quoteForShell(captureScript)}; [ -r "$f" ] || exit 0;`;
  return (event) => `${start} set -- ${agent} ${event} ${via}; command . "$f"; exit 0`;
}

/** Matches commands from any Cairn version and install path. */
export function isHookCommand(agent: string, command: string): boolean {
  const isShellForm = /capture\.sh['"]/.test(command) && command.includes(`set -- ${agent} `);
  return isShellForm || new RegExp(`hook\\.cjs" ${agent} \\w+`).test(command);
}

/** Forward slashes work on Windows in both cmd and Git Bash; a path there contains no quotes. */
export function quoteForWindows(path: string): string {
  return `"${path.replaceAll('\\', '/')}"`;
}
