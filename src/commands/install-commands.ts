import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asOwnCommand } from '../agents/claude-code/own-commands.ts';
import { type FileOutcome, installFiles, type OwnFile, removeFiles } from '../agents/install/marked-files.ts';
import { cliProgram, packageRoot, stableNode } from '../platform/installation.ts';
import { quoteForShell } from '../platform/shell.ts';
import type { Call } from './command.ts';
import type { InstallTarget } from './install-target.ts';

/** The slash commands of the plugin and its skill, for a client that has Cairn by its settings. */

export function placeCommands(
  call: Call,
  { commands }: Pick<InstallTarget, 'commands'>,
  dryRun: boolean,
): FileOutcome[] {
  return installFiles(commands, ownCommands(call), { dryRun });
}

export function removeCommands({ commands }: InstallTarget, dryRun: boolean): FileOutcome[] {
  return removeFiles(commands, { dryRun });
}

/** The skill too: among commands it has the name it has in the plugin, so that with both it is there once. */
function ownCommands({ env, home }: Call): OwnFile[] {
  const plugin = join(packageRoot(), 'plugins/claude-code');
  const folder = join(plugin, 'commands');
  const files = [
    ...readdirSync(folder).map((name) => ({ name, path: join(folder, name) })),
    { name: 'memory.md', path: join(plugin, 'skills/memory/SKILL.md') },
  ];
  const elsewhere = home === join(env.userHome, '.cairn') ? [] : ['env', `CAIRN_HOME=${quoteForShell(home)}`];
  const program = [...elsewhere, quoteForShell(stableNode(env.searchPath)), quoteForShell(cliProgram())];
  return files.map(({ name, path }) => ({
    name,
    text: asOwnCommand(readFileSync(path, 'utf8'), program.join(' ')),
  }));
}

export function haveChanged(files: FileOutcome[]): boolean {
  return files.some(({ before, after }) => before !== after);
}

/** What a person should know of files that were left alone. */
export function notesOnKept(files: FileOutcome[]): string[] {
  const why = {
    edited: 'has been changed since Cairn wrote it, so it stays as it is',
    foreign: 'is not from Cairn, so it stays as it is',
  };
  return files.flatMap(({ path, kept }) => (kept ? [`${path} ${why[kept]}.`] : []));
}
