import { agents } from '../agents/all.ts';
import { commandFor, settingsPath } from '../agents/claude-code/installer.ts';
import type { Outcome, Place } from '../agents/install/apply.ts';
import { SettingsTrouble } from '../agents/install/settings-file.ts';
import { unifiedDiff } from '../agents/install/unified-diff.ts';
import { errorCode } from '../platform/files.ts';
import { findCheckout } from '../platform/git.ts';
import { hookProgram, stableNode } from '../platform/installation.ts';
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
  /** As it must be repeated for the same target. */
  args: string;
}

export function installTarget({ positionals, options, env, paths }: Call): InstallTarget {
  const [id, ...more] = positionals;
  const known = agents.map((each) => each.id);
  if (id === undefined) throw new UsageError(`Which agent? Cairn knows: ${known.join(', ')}`);
  if (more.length > 0) throw new UsageError(`One agent at a time, not also ${more.join(' ')}.`);
  const agent = agents.find((each) => each.id === id);
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
    args: project === undefined ? id : `${id} --project`,
  };
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

/** The dry run: what would change, as a diff. */
export function showPlan(call: Call, { agent }: InstallTarget, plan: Outcome): number {
  const diff = unifiedDiff(plan.path, plan.before, plan.after);
  if (call.options.json)
    printJson(call, { agent, status: 'dry-run', file: plan.path, changed: plan.changed, diff });
  else call.out(diff || `Nothing to change in ${plan.path}.`);
  return 0;
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
