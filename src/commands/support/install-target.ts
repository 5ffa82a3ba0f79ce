import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AgentInstaller, InstallChoices, InstallPlace } from '../../agents/install/agent-installer.ts';
import { installers } from '../../agents/install/installers.ts';
import { SettingsError } from '../../agents/install/settings-file.ts';
import { findRecordedRoot } from '../../capture/home.ts';
import { describeFileError, isFullDisk } from '../../platform/file-error.ts';
import { errorCode } from '../../platform/files.ts';
import { findCheckout, type GitCheckout } from '../../platform/git/checkout.ts';
import {
  cliProgram,
  findProgram,
  findStableNode,
  hookProgram,
  packageRoot,
} from '../../platform/installation.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import { type Call, CommandError } from './command.ts';
import { createUnknownError } from './usage.ts';

/** Finds the targets of `install` and `uninstall` from their arguments. */

export const installOptions = {
  project: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
} as const;

export interface InstallTarget {
  installer: AgentInstaller;
  place: InstallPlace;
}

/**
 * The named agents, or all agents on this machine. `uninstall` without a name considers every agent: one that is
 * gone may have left files.
 */
export function findInstallTargets(
  call: Call,
  purpose: 'install' | 'uninstall' = 'install',
): InstallTarget[] {
  const { positionals, options } = call;
  const place = findInstallPlace(call, Boolean(options.project), readChoices(call));
  const isNamed = positionals.length > 0;
  const findAll = () => (purpose === 'uninstall' ? installers : findAgentsHere(call));
  const chosen = isNamed ? [...new Set(positionals)].map(findInstaller) : findAll();
  const targets = chosen.map((installer) => ({ installer, place }));
  const possible = targets.filter(({ installer }) => findRefusal(installer, place, purpose) === null);
  const refused = targets.find((target) => !possible.includes(target));
  if (refused && (isNamed || possible.length === 0))
    throw new CommandError(findRefusal(refused.installer, place, purpose) ?? '');
  return possible;
}

/** Why agents on this machine cannot be connected yet, such as a missing configuration of their own. */
export function describeUnready(call: Call): string[] {
  const place = findInstallPlace(call, Boolean(call.options.project), readChoices(call));
  return findAgentsHere(call).flatMap((installer) => {
    const refusal = installer.listParts(place).length > 0 && installer.findRefusal?.(place);
    return refusal ? [`${installer.name} was left out. ${refusal}`] : [];
  });
}

/** Why an agent cannot be connected with these options. */
function findRefusal(
  installer: AgentInstaller,
  place: InstallPlace,
  purpose: 'install' | 'uninstall',
): string | null {
  const { name } = installer;
  const parts = installer.listParts(place);
  if (parts.length === 0) return `${name} can be connected for every project only. Leave out --project.`;
  if (purpose === 'uninstall') return null;
  if (parts.every(({ isWanted }) => !isWanted))
    return `${name} is connected through MCP only. Leave out --no-mcp.`;
  return installer.findRefusal?.(place) ?? null;
}

function findInstaller(id: string): AgentInstaller {
  const known = installers.map((known) => known.id);
  const installer = installers.find((known) => known.id === id);
  if (!installer) throw createUnknownError('agent', id, known, `Known agents: ${known.join(', ')}.`);
  return installer;
}

function findAgentsHere({ env }: Call): AgentInstaller[] {
  const here = installers.filter((installer) => isAgentHere(installer, env));
  if (here.length > 0) return here;
  const known = installers.map(({ id }) => id).join(', ');
  throw new CommandError(
    `No agent was found on this machine. Name one: cairn install <agent>. Known: ${known}.`,
  );
}

/** Whether the agent's program is on the PATH or its configuration folder exists. */
export function isAgentHere({ program, configFolder }: AgentInstaller, env: Call['env']): boolean {
  return findProgram(program, env.searchPath) !== null || existsSync(configFolder(env));
}

/** Whether an agent's files contain parts of Cairn. Throws if they cannot be read. */
export function isConnected({ installer, place }: InstallTarget): boolean {
  const parts = installer.listParts(place);
  return parts.some((part) => {
    const bytes = readRegularIfThere(part.path, CONFIG_LIMIT);
    const state = part.inspect(bytes?.toString('utf8') ?? null);
    return state !== 'missing' && state !== 'foreign';
  });
}

function readChoices({ options }: Call): InstallChoices {
  const hasServer = !options['no-mcp'];
  return {
    hasServer,
    allowsTools: hasServer && options['allow-tools'] === true,
    programs: ['statusline', 'suggest-files'].filter((name) => options[name]),
  };
}

const NO_CHOICES: InstallChoices = { hasServer: true, allowsTools: false, programs: [] };

/** All worktrees of a repository are the same project. */
export function findInstallPlace(call: Call, forProject: boolean, choices = NO_CHOICES): InstallPlace {
  const { env, home, paths } = call;
  const checkout = findCheckout(process.cwd());
  const folder = checkout?.top ?? process.cwd();
  return {
    userHome: env.userHome,
    variable: env.variable,
    platform: process.platform,
    captureScript: paths.captureScript,
    launcher: paths.launcher,
    interpreter: findStableNode(env.searchPath),
    hookProgram: hookProgram(installedRoot(home)),
    cairn: findCairnProgram(call),
    ...(home !== join(env.userHome, '.cairn') && { cairnHome: home }),
    folder,
    project: forProject ? { folder, repository: checkout ? repositoryOf(checkout) : folder } : null,
    choices,
  };
}

function repositoryOf({ commonDir, top }: GitCheckout): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : top;
}

/** The command that agents run: the launcher, which finds node; on Windows the program itself. */
function findCairnProgram({ paths, env, home }: Call): [string, ...string[]] {
  if (process.platform !== 'win32') return [paths.launcher];
  return [findStableNode(env.searchPath), cliProgram(installedRoot(home))];
}

/** The program that this home runs, or will run after its first installation. */
function installedRoot(home: string): string {
  return findRecordedRoot(home) ?? packageRoot();
}

/** Errors in the files of the person or of Cairn end the command with a message instead of a stack trace. */
export function withPlainErrors<T>(home: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SettingsError) throw new CommandError(error.message, { cause: error });
    const code = errorCode(error);
    if (!code) throw error;
    if (isFullDisk(error)) throw new CommandError(`${describeFileError(error)}`);
    throw new CommandError(
      `Cairn cannot write its own folder ${home} (${code}). Make it writable, or set CAIRN_HOME to another folder.`,
    );
  }
}
