import { basename, dirname, join } from 'node:path';
import { agents } from '../agents/all.ts';
import {
  ASKED,
  type Asked,
  askedCommand,
  clientConfigPath,
  commandFor,
  commandsFolder,
  settingsPath,
} from '../agents/claude-code/installer.ts';
import { memoryServer } from '../agents/claude-code/mcp-server.ts';
import type { Outcome, Place } from '../agents/install/apply.ts';
import type { WantedCommand } from '../agents/install/command-setting.ts';
import type { FileOutcome } from '../agents/install/marked-files.ts';
import type { WantedServer } from '../agents/install/server-entry.ts';
import { SettingsTrouble } from '../agents/install/settings-file.ts';
import { unifiedDiff } from '../agents/install/unified-diff.ts';
import { errorCode } from '../platform/files.ts';
import { findCheckout, type GitCheckout } from '../platform/git/checkout.ts';
import { cliProgram, hookProgram, stableNode } from '../platform/installation.ts';
import { type Call, CommandError, printJson, UsageError } from './command.ts';
import { nearest } from './nearest.ts';

/** What `install` and `uninstall` are about, from their arguments. */

export const installOptions = {
  project: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
} as const;

export interface InstallTarget {
  agent: string;
  agentName: string;
  place: Place;
  /** Where the client is told of our MCP server, and how. */
  server: ServerTarget;
  /** Where slash commands of ours lie. */
  commands: string;
  /** What the client can ask us for, if a person wants that. */
  asked: (WantedCommand & { key: Asked })[];
  /** As it must be repeated for the same target. */
  args: string;
}

export interface ServerTarget {
  place: Place;
  wanted: WantedServer;
}

export function installTarget(call: Call): InstallTarget {
  const { positionals, options, env, paths } = call;
  const [id, ...more] = positionals;
  const installable = agents.filter((each) => each.isInstallable);
  const known = installable.map((each) => each.id);
  if (id === undefined) throw new UsageError(`Which agent? Cairn knows: ${known.join(', ')}`);
  if (more.length > 0) throw new UsageError(`One agent at a time, not also ${more.join(' ')}.`);
  const agent = installable.find((each) => each.id === id);
  if (!agent) {
    const meant = nearest(id, known);
    const hint = meant ? `Did you mean ${meant}?` : `Cairn knows: ${known.join(', ')}`;
    throw new UsageError(`Cairn does not know an agent called ${id}. ${hint}`);
  }
  const project = options.project ? (findCheckout(process.cwd())?.top ?? process.cwd()) : undefined;
  const path = settingsPath({ ...env, ...(project !== undefined && { project }) });
  return {
    agent: id,
    agentName: agent.name,
    place: { agent: id, path, recordFolder: paths.installed },
    server: serverTarget(call, id, Boolean(options.project)),
    commands: commandsFolder(path),
    asked: askedCommands(call),
    args: project === undefined ? id : `${id} --project`,
  };
}

function askedCommands({ env, home }: Call): InstallTarget['asked'] {
  const parts = {
    platform: process.platform,
    interpreter: stableNode(env.searchPath),
    hookProgram: hookProgram(),
    ...(home !== join(env.userHome, '.cairn') && { cairnHome: home }),
  };
  return (Object.keys(ASKED) as Asked[]).map((key) => ({ ...askedCommand(key, parts), key }));
}

/** For one project it is the repository that counts, from whichever worktree it is asked for. */
export function serverTarget({ env, home, paths }: Call, agent: string, forProject: boolean): ServerTarget {
  const checkout = findCheckout(process.cwd());
  const project = checkout ? repositoryOf(checkout) : process.cwd();
  return {
    place: { agent, path: clientConfigPath(env), recordFolder: paths.installed },
    wanted: memoryServer({
      interpreter: stableNode(env.searchPath),
      program: cliProgram(),
      ...(home !== join(env.userHome, '.cairn') && { cairnHome: home }),
      ...(forProject && { project }),
    }),
  };
}

function repositoryOf({ commonDir, top }: GitCheckout): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : top;
}

/** The command that hooks run on this machine, and the interpreter behind it. */
export function captureCommand({ paths, env }: Call): {
  command: (event: string) => string;
  interpreter: string;
} {
  const interpreter = stableNode(env.searchPath);
  const command = commandFor({
    platform: process.platform,
    captureScript: paths.captureScript,
    interpreter,
    hookProgram: hookProgram(),
  });
  return { command, interpreter };
}

/** What is or would be changed, in each place. */
export interface InstallPlan {
  hooks: Outcome;
  server: Outcome;
  commands: FileOutcome[];
}

/** The dry run: what would change, as a diff for each file. */
export function showPlan(
  call: Call,
  { agent, commands: folder }: InstallTarget,
  { hooks, server, commands }: InstallPlan,
): number {
  const diffs = [hooks, server, ...commands].map(({ path, before, after }) =>
    unifiedDiff(path, before, after),
  );
  const diff = diffs.filter((each) => each !== '').join('\n');
  if (call.options.json) {
    const files = { file: hooks.path, mcp: server.path, commands: folder };
    printJson(call, { agent, status: 'dry-run', ...files, changed: diff !== '', diff });
  } else call.out(diff || `Nothing to change in ${hooks.path}, ${server.path} and ${folder}.`);
  return 0;
}

/** `a, b and c` */
export function listed(parts: string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Trouble with the files of the person or of Cairn ends the command with a sentence, not with a stack. */
export function withPlainErrors<T>(home: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SettingsTrouble) throw new CommandError(error.message);
    const code = errorCode(error);
    if (!code) throw error;
    throw new CommandError(
      `Cairn cannot write its own folder ${home} (${code}). Make it writable, or set CAIRN_HOME to another folder.`,
    );
  }
}
