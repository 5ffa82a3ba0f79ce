import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import {
  type FileOutcome,
  installFiles,
  type OwnFile,
  removeFiles,
} from '../../agents/install/marked-files.ts';
import { packageRoot } from '../../platform/installation.ts';
import { quoteForShell } from '../../platform/shell.ts';
import type { Call } from './command.ts';
import { findCairnProgram, type InstallTarget } from './install-target.ts';

/** The slash commands of the plugin and its skill, for a client that has Cairn in its settings. */

export function placeCommands(
  call: Call,
  { commands, installer }: Pick<InstallTarget, 'commands' | 'installer'>,
  dryRun: boolean,
): FileOutcome[] {
  return installFiles(commands, ownCommands(call, installer), { dryRun });
}

export function removeCommands({ commands }: InstallTarget, dryRun: boolean): FileOutcome[] {
  return removeFiles(commands, { dryRun });
}

/** The skill has the same name as in the plugin, so that with both it exists once. */
function ownCommands(call: Call, installer: AgentInstaller): OwnFile[] {
  const plugin = join(packageRoot(), installer.plugin);
  const folder = join(plugin, 'commands');
  const files = [
    ...readdirSync(folder).map((name) => ({ name, path: join(folder, name) })),
    { name: 'memory.md', path: join(plugin, 'skills/memory/SKILL.md') },
  ];
  const program = findCairnProgram(call).map(quoteForShell).join(' ');
  return files.map(({ name, path }) => ({
    name,
    text: installer.ownCommand(readFileSync(path, 'utf8'), program),
  }));
}

export function hasChangedFiles(files: FileOutcome[]): boolean {
  return files.some(({ before, after }) => before !== after);
}

/** The message about files that were left unchanged. */
export function describeKeptFiles(files: FileOutcome[]): string[] {
  const why = {
    edited: 'was changed after Cairn wrote it, so it was left unchanged',
    foreign: 'was not written by Cairn, so it was left unchanged',
  };
  return files.flatMap(({ path, kept }) => (kept ? [`${path} ${why[kept]}.`] : []));
}
