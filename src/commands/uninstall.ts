import { existsSync } from 'node:fs';
import type { ApplyOptions } from '../agents/install/apply.ts';
import { listRecordedFiles } from '../agents/install/record.ts';
import { cairnCommand } from '../platform/cairn-command.ts';
import { CONFIG_LIMIT, readRegularText } from '../platform/read-regular-file.ts';
import { type Ask, askOnTerminal, confirmChange } from './support/ask.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import {
  applyUninstall,
  changesAnything,
  describeKeptFiles,
  hasChangedFiles,
  type InstallPlan,
  joinWithAnd,
  listChangedPaths,
  showPlans,
  textOf,
} from './support/install-plan.ts';
import { removeProgram } from './support/install-program.ts';
import {
  findInstallTargets,
  type InstallTarget,
  installOptions,
  isConnected,
  withPlainErrors,
} from './support/install-target.ts';

export const command = createUninstallCommand(askOnTerminal);

export function createUninstallCommand(ask: Ask): Command {
  return {
    name: 'uninstall',
    summary: 'Disconnect agents: remove hooks, MCP server and slash commands; memories stay',
    usage: 'uninstall [<agent>…] [--project] [--dry-run] [--yes] [--json]',
    help: [
      'Without a name: every agent that is connected.',
      'The settings become what they were before, plus what you and others changed since.',
      '  --project   only for the project in this folder',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: installOptions,
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const named = findInstallTargets(call, 'uninstall');
      const recorded = listRecordedFiles(call.paths.installed).map(({ agent }) => agent);
      const isRecorded = ({ installer }: InstallTarget) => recorded.includes(installer.id);
      const targets =
        call.positionals.length > 0 ? named : named.filter((target) => isThere(target, isRecorded(target)));
      if (targets.length === 0) throw new CommandError('No agent is connected; nothing was changed.');
      const removeAll = (options: ApplyOptions) =>
        withPlainErrors(call.home, () => targets.map((target) => applyUninstall(call, target, options)));
      const plans = removeAll({ dryRun: true, willWrite: !call.options['dry-run'] });
      if (call.options['dry-run']) return showPlans(call, targets, plans);
      const paths = plans.flatMap(listChangedPaths);
      const question = `Remove Cairn from ${joinWithAnd(paths)}?`;
      if (paths.length > 0 && !(await confirmChange(call, ask, question))) return 1;

      const done = removeAll({ dryRun: false });
      // A plugin uses the program in the home too.
      const plugins = targets.map((target) => findPlugin(target));
      if (plugins.every((plugin) => plugin === null)) withPlainErrors(call.home, () => removeProgram(call));
      report(call, targets, done);
      return 0;
    },
  };
}

/** A file that cannot be read is the concern of those whom Cairn has connected. */
function isThere(target: InstallTarget, isRecorded: boolean): boolean {
  try {
    return isConnected(target);
  } catch {
    return isRecorded;
  }
}

function findPlugin({ installer, place }: InstallTarget) {
  return installer.findPlugin?.(place, (path) => readRegularText(path, CONFIG_LIMIT)) ?? null;
}

function report(call: Call, targets: InstallTarget[], plans: InstallPlan[]): void {
  const agents = targets.flatMap((target, index) => {
    const plan = plans[index];
    return plan ? [{ target, plan, notes: notesOn(target, plan) }] : [];
  });
  if (call.options.json) {
    printJson(call, {
      agents: agents.map(({ target, plan, notes }) => ({
        agent: target.installer.id,
        status: changesAnything(plan) ? 'removed' : 'unchanged',
        files: listChangedPaths(plan),
        notes,
      })),
      memory: call.home,
    });
    return;
  }
  const { bold, green, yellow } = call.paint;
  for (const { target, plan, notes } of agents) {
    const { name } = target.installer;
    if (changesAnything(plan)) call.out(green(`Removed Cairn from ${name}.`));
    else call.out(`Cairn is not installed for ${name}; nothing was changed.`);
    for (const line of describeRemoval(plan)) call.out(line);
    for (const note of notes) call.out(yellow(note));
  }
  const names = targets.map(({ installer }) => installer.id).join(' ');
  const hasChanged = plans.some(changesAnything);
  if (hasChanged) call.out('Running sessions stop using Cairn at their next start.');
  if (existsSync(call.home))
    call.out(`Memories stay in ${call.home}. To delete them too, delete that folder.`);
  const project = call.options.project ? ' --project' : '';
  if (hasChanged) call.out(`Install again: ${bold(`${cairnCommand()} install ${names}${project}`)}`);
}

function describeRemoval(plan: InstallPlan): string[] {
  const { edits, parts, files, folder } = plan;
  const lines = edits
    .filter(({ changed }) => changed)
    .map(({ path, after }) => {
      const removed = parts.filter(
        (part) => part.path === path && part.inspect(textOf(plan, part, 'before')) !== 'missing',
      );
      const what = joinWithAnd(removed.map(({ label }) => label));
      if (after === null) return `  ${path} was deleted, because Cairn had created it.`;
      return `  Removed ${what || 'what Cairn had added'} from ${path}.`;
    });
  return hasChangedFiles(files) ? [...lines, `  Removed the slash commands from ${folder}.`] : lines;
}

function notesOn(target: InstallTarget, plan: InstallPlan): string[] {
  const plugin = findPlugin(target);
  return [
    ...(plugin ? [`The plugin ${plugin.name} is still on. Remove it with: ${plugin.removal}`] : []),
    ...describeKeptFiles(plan),
  ];
}
