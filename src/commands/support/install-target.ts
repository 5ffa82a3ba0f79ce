import { basename, dirname, join } from 'node:path';
import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import type { SettingsChange, SettingsPlace } from '../../agents/install/apply.ts';
import type { WantedCommand } from '../../agents/install/command-setting.ts';
import { installers } from '../../agents/install/installers.ts';
import type { FileOutcome } from '../../agents/install/marked-files.ts';
import type { WantedServer } from '../../agents/install/server-entry.ts';
import { SettingsError } from '../../agents/install/settings-file.ts';
import { unifiedDiff } from '../../agents/install/unified-diff.ts';
import { findRecordedRoot } from '../../capture/home.ts';
import { describeFileError, isFullDisk } from '../../platform/file-error.ts';
import { errorCode } from '../../platform/files.ts';
import { findCheckout, type GitCheckout } from '../../platform/git/checkout.ts';
import { cliProgram, findStableNode, hookProgram, packageRoot } from '../../platform/installation.ts';
import { type Call, CommandError, printJson } from './command.ts';
import { createUnknownError, rejectExtra, requireArgument } from './usage.ts';

/** The target of `install` and `uninstall`, from their arguments. */

export const installOptions = {
  project: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
} as const;

export interface InstallTarget {
  agent: string;
  agentName: string;
  installer: AgentInstaller;
  place: SettingsPlace;
  server: ServerTarget;
  commands: string;
  optional: (WantedCommand & { key: Program })[];
  /** The arguments that repeat the same target. */
  args: string;
}

export interface ServerTarget {
  place: SettingsPlace;
  wanted: WantedServer;
}

export function findInstallTarget(call: Call): InstallTarget {
  const { positionals, options, env, paths } = call;
  const [word, ...more] = positionals;
  const known = installers.map((known) => known.id);
  const hint = `Known agents: ${known.join(', ')}.`;
  const [only, ...others] = known;
  const id = requireArgument(word ?? (others.length === 0 ? only : undefined), 'agent', hint);
  rejectExtra(more);
  const installer = installers.find((known) => known.id === id);
  if (!installer) throw createUnknownError('agent', id, known, hint);
  const project = options.project ? (findCheckout(process.cwd())?.top ?? process.cwd()) : undefined;
  const path = installer.settingsPath({ ...env, ...(project !== undefined && { project }) });
  return {
    agent: id,
    agentName: installer.name,
    installer,
    place: { agent: id, path, recordFolder: paths.installed },
    server: findServerTarget(call, installer, Boolean(options.project)),
    commands: installer.commandsFolder(path),
    optional: programCommands(call, installer),
    args: project === undefined ? id : `${id} --project`,
  };
}

type Program = keyof AgentInstaller['programs'];

function programCommands({ env, home, paths }: Call, installer: AgentInstaller): InstallTarget['optional'] {
  const parts = {
    platform: process.platform,
    launcher: paths.launcher,
    interpreter: findStableNode(env.searchPath),
    hookProgram: hookProgram(installedRoot(home)),
  };
  return (Object.keys(installer.programs) as Program[]).map((key) => ({
    ...installer.programCommand(key, parts),
    key,
  }));
}

/** A project is its repository, whichever worktree the command runs in. */
export function findServerTarget(call: Call, installer: AgentInstaller, forProject: boolean): ServerTarget {
  const { env, home, paths } = call;
  const checkout = findCheckout(process.cwd());
  const project = checkout ? repositoryOf(checkout) : process.cwd();
  return {
    place: { agent: installer.id, path: installer.configPath(env), recordFolder: paths.installed },
    wanted: installer.server({
      program: findCairnProgram(call),
      ...(home !== join(env.userHome, '.cairn') && { cairnHome: home }),
      ...(forProject && { project }),
    }),
  };
}

function repositoryOf({ commonDir, top }: GitCheckout): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : top;
}

/** The command that agents run: the launcher, which finds node; on Windows the program itself. */
export function findCairnProgram({ paths, env, home }: Call): [string, ...string[]] {
  if (process.platform !== 'win32') return [paths.launcher];
  return [findStableNode(env.searchPath), cliProgram(installedRoot(home))];
}

/** The program that this home runs, or will run after the first installation. */
function installedRoot(home: string): string {
  return findRecordedRoot(home) ?? packageRoot();
}

/** The command that hooks run on this machine, and its interpreter. */
export function buildCaptureCommand(
  { paths, env, home }: Call,
  installer: AgentInstaller,
): { command: (event: string) => string; interpreter: string } {
  const interpreter = findStableNode(env.searchPath);
  const command = installer.hookCommand({
    platform: process.platform,
    captureScript: paths.captureScript,
    interpreter,
    hookProgram: hookProgram(installedRoot(home)),
  });
  return { command, interpreter };
}

export interface InstallPlan {
  hooks: SettingsChange;
  server: SettingsChange;
  commands: FileOutcome[];
}

/** The dry run: a diff for each file. */
export function showPlan(
  call: Call,
  { agent, commands: folder }: InstallTarget,
  { hooks, server, commands }: InstallPlan,
): number {
  const diffs = [hooks, server, ...commands].map(({ path, before, after }) =>
    unifiedDiff(path, before, after),
  );
  const diff = diffs.filter((known) => known !== '').join('\n');
  if (call.options.json) {
    const files = { file: hooks.path, mcp: server.path, commands: folder };
    printJson(call, { agent, status: 'dry-run', ...files, changed: diff !== '', diff });
  } else call.out(diff || `Nothing to change in ${hooks.path}, ${server.path} and ${folder}.`);
  return 0;
}

/** `a, b and c` */
export function joinWithAnd(parts: string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Errors with the files of the person or of Cairn end the command with a message, not with a stack. */
export function withPlainErrors<T>(home: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SettingsError) throw new CommandError(error.message);
    const code = errorCode(error);
    if (!code) throw error;
    if (isFullDisk(error)) throw new CommandError(`${describeFileError(error)}`);
    throw new CommandError(
      `Cairn cannot write its own folder ${home} (${code}). Make it writable, or set CAIRN_HOME to another folder.`,
    );
  }
}
