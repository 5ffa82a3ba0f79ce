import { existsSync } from 'node:fs';
import type { ApplyOptions } from '../agents/install/apply.ts';
import { listMadeFolders, listRecordedFiles, type RecordedFile } from '../agents/install/record.ts';
import { removeEmptyFolders, SettingsError } from '../agents/install/settings-file.ts';
import { cairnCommand } from '../platform/cairn-command.ts';
import { CONFIG_LIMIT, readRegularText } from '../platform/read-regular-file.ts';
import { type Ask, askOnTerminal, confirmChange } from './support/ask.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
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
    usage: 'uninstall [<agent>… | --all] [--project] [--dry-run] [--yes] [--json]',
    help: [
      'Without a name: every connected agent. If the files of one cannot be changed, it is reported, the others are',
      'disconnected, and the exit code is 1.',
      'Restores the settings, keeping what you and others have changed since.',
      '  --all       every agent that is connected; for scripts: --all --yes',
      '  --project   only for the project in this folder',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: { ...installOptions, all: { type: 'boolean' } },
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const isDryRun = call.options['dry-run'] === true;
      const targets = chooseTargets(call);
      const { removals: planned, failures } = removeEach(call, targets, {
        dryRun: true,
        willWrite: !isDryRun,
      });
      if (isDryRun) return showDryRun(call, planned, failures);
      const paths = planned.flatMap(({ plan }) => listChangedPaths(plan));
      const question = `Remove Cairn from ${joinWithAnd(paths)}?`;
      if (paths.length > 0 && !(await confirmChange(call, ask, question))) return 1;

      const createdFolders = listMadeFolders(call.paths.installed);
      const done = removeEach(
        call,
        planned.map(({ target }) => target),
        { dryRun: false },
      );
      // A shared folder such as ~/.config was not empty yet when the agent that created it was removed.
      for (const folders of createdFolders) removeEmptyFolders(folders);
      failures.push(...done.failures);
      // A plugin also uses the program in the home.
      const plugins = targets.map((target) => findPlugin(target));
      if (failures.length === 0 && plugins.every((plugin) => plugin === null))
        withPlainErrors(call.home, () => removeProgram(call));
      report(call, done.removals, failures, listLeft(call, failures));
      return failures.length > 0 ? 1 : 0;
    },
  };
}

interface Removal {
  target: InstallTarget;
  plan: InstallPlan;
}

/** An agent whose files cannot be changed, with the reason. */
interface Failure {
  target: InstallTarget;
  reason: string;
}

function chooseTargets(call: Call): InstallTarget[] {
  const isNamed = call.positionals.length > 0;
  if (isNamed && call.options.all) throw new UsageError('Give the names of agents or --all, not both.');
  const targets = findInstallTargets(call, 'uninstall');
  if (isNamed) return targets;
  const recorded = listRecordedFiles(call.paths.installed);
  const connected = targets.filter((target) => isThere(target, recorded));
  if (connected.length === 0) throw new CommandError('No agent is connected; nothing was changed.');
  return connected;
}

/** An unreadable file counts only if Cairn has changed it. */
function isThere(target: InstallTarget, recorded: RecordedFile[]): boolean {
  try {
    return isConnected(target);
  } catch {
    const { installer, place } = target;
    const paths = installer.listParts(place).map(({ path }) => path);
    return recorded.some(({ agent, file }) => agent === installer.id && paths.includes(file));
  }
}

/** With names, all agents or none; without, a failure does not stop the others. */
function removeEach(
  call: Call,
  targets: InstallTarget[],
  options: ApplyOptions,
): { removals: Removal[]; failures: Failure[] } {
  const removals: Removal[] = [];
  const failures: Failure[] = [];
  for (const target of targets)
    try {
      const plan = withPlainErrors(call.home, () => applyUninstall(call, target, options));
      removals.push({ target, plan });
    } catch (error) {
      if (call.positionals.length > 0 || !(error instanceof CommandError)) throw error;
      const { cause, message } = error;
      failures.push({ target, reason: cause instanceof SettingsError ? cause.advice : message });
    }
  return { removals, failures };
}

/** Remaining installations for single projects: without a name, only those for every project are removed. */
function listLeft({ positionals, options, paths }: Call, failures: Failure[]): string[] {
  if (positionals.length > 0 || options.project) return [];
  return listRecordedFiles(paths.installed)
    .filter(
      ({ agent, file }) => existsSync(file) && !failures.some((each) => each.target.installer.id === agent),
    )
    .map(
      ({ agent, file }) =>
        `${file} still has Cairn, for one project. Run there: ${cairnCommand()} uninstall ${agent} --project`,
    );
}

function describeFailure({ target, reason }: Failure): string {
  return `Cairn was not removed from ${target.installer.name}. ${reason}`;
}

function showDryRun(call: Call, removals: Removal[], failures: Failure[]): number {
  for (const failure of failures) call.err(describeFailure(failure));
  if (removals.length > 0)
    showPlans(
      call,
      removals.map(({ target }) => target),
      removals.map(({ plan }) => plan),
    );
  return failures.length > 0 ? 1 : 0;
}

function findPlugin({ installer, place }: InstallTarget) {
  return installer.findPlugin?.(place, (path) => readRegularText(path, CONFIG_LIMIT)) ?? null;
}

function report(call: Call, removals: Removal[], failures: Failure[], left: string[]): void {
  const agents = removals.map(({ target, plan }) => ({ target, plan, notes: notesOn(target, plan) }));
  if (call.options.json) {
    printJson(call, {
      agents: [
        ...agents.map(({ target, plan, notes }) => ({
          agent: target.installer.id,
          status: changesAnything(plan) ? 'removed' : 'unchanged',
          files: listChangedPaths(plan),
          notes,
        })),
        ...failures.map(({ target, reason }) => ({
          agent: target.installer.id,
          status: 'failed',
          files: [],
          notes: [reason],
        })),
      ],
      memory: call.home,
      notes: left,
    });
    return;
  }
  const { bold, green, yellow, red } = call.paint;
  for (const { target, plan, notes } of agents) {
    const { name } = target.installer;
    if (changesAnything(plan)) call.out(green(`Removed Cairn from ${name}.`));
    else call.out(`Cairn is not installed for ${name}; nothing was changed.`);
    for (const line of describeRemoval(plan)) call.out(line);
    for (const note of notes) call.out(yellow(note));
  }
  for (const failure of failures) call.out(red(describeFailure(failure)));
  for (const note of left) call.out(yellow(note));
  const removed = agents.filter(({ plan }) => changesAnything(plan));
  const hasChanged = removed.length > 0;
  if (hasChanged) call.out('Running sessions stop using Cairn at their next start.');
  if (existsSync(call.home))
    call.out(`Memories stay in ${call.home}. To delete them too, delete that folder.`);
  const names = removed.map(({ target }) => target.installer.id).join(' ');
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
