import type { ApplyOptions } from '../agents/install/apply.ts';
import { SettingsError } from '../agents/install/settings-file.ts';
import { clearCaptureBroken } from '../capture/broken-capture.ts';
import { formatCount } from '../context/words.ts';
import { findModel } from '../distill/providers/find-model.ts';
import { restrictToOwner } from '../platform/private-home.ts';
import { type Ask, askOnTerminal, canAsk, confirmChange } from './support/ask.ts';
import { type Call, type Command, CommandError, UsageError } from './support/command.ts';
import {
  applyInstall,
  changesAnything,
  describeChanges,
  type InstallPlan,
  joinWithAnd,
  showPlans,
  textOf,
} from './support/install-plan.ts';
import { placeProgram, planProgram } from './support/install-program.ts';
import { reportInstall } from './support/install-report.ts';
import {
  describeUnready,
  findInstallTargets,
  type InstallTarget,
  installOptions,
  withPlainErrors,
} from './support/install-target.ts';
import { type FindModel, offerModel } from './support/offer-model.ts';

export const command = createInstallCommand(askOnTerminal, findModel);

export function createInstallCommand(ask: Ask, findModel: FindModel): Command {
  return {
    name: 'install',
    summary: 'Connect agents: add hooks, an MCP server and slash commands',
    usage:
      'install [<agent>… | --all] [--project] [--no-mcp] [--allow-tools] [--fix-settings] [--statusline] [--suggest-files] [--link] [--dry-run] [--yes] [--json]',
    help: [
      'Without a name: every agent that is on this machine, after a diff of all files. See: cairn agents',
      'Everything else in the settings stays as it is; a second run changes nothing.',
      '  --all            every agent that is on this machine; for scripts: --all --yes',
      '  --project        only for the project in this folder',
      '  --no-mcp         only hooks: the agent gets memories, but no tools to search them',
      '  --fix-settings   remove comments and trailing commas, which make the agent ignore the file',
      "  --allow-tools    let the agent use Cairn's tools (search, remember …) without asking you each time",
      '  --statusline     show model, context left, work item, tasks and memory below the prompt; a status line of',
      '                   your own stays and comes first',
      '  --suggest-files  rank files after @ by memory and git; suggestions of your current command come first',
      '  --link           run Cairn from the folder it is in now, such as a clone you change; otherwise hooks run',
      '                   a copy in the home of Cairn, which keeps working if you delete the package or clone',
      '  --dry-run        show the change as a diff and change nothing',
      '  --yes            do not ask',
    ].join('\n'),
    options: {
      ...installOptions,
      all: { type: 'boolean' },
      statusline: { type: 'boolean' },
      'suggest-files': { type: 'boolean' },
      'no-mcp': { type: 'boolean' },
      'fix-settings': { type: 'boolean' },
      'allow-tools': { type: 'boolean' },
      link: { type: 'boolean' },
    },
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const isDryRun = call.options['dry-run'] === true;
      const { targets, skipped } = chooseTargets(call, { dryRun: true, willWrite: !isDryRun });
      // All plans are computed before any file is changed.
      const plans = withPlainErrors(call.home, () =>
        applyAll(call, targets, { dryRun: true, willWrite: !isDryRun }),
      );
      if (isDryRun) return showPlans(call, targets, plans);
      const isSurprising = call.positionals.length === 0 && canAsk(call) && plans.some(changesAnything);
      if ((call.options['fix-settings'] && !call.options.json) || isSurprising)
        showPlans(call, targets, plans);
      if (isSurprising) for (const note of skipped) call.out(call.paint.yellow(note));
      const question = `Write ${joinWithAnd(plans.flatMap(describeChanges))}?`;
      if (plans.some(changesAnything) && !(await confirmChange(call, ask, question))) return 1;

      const allowed = await askForTools(call, targets, plans, ask);
      const done = withPlainErrors(call.home, () => {
        const program = planProgram(call);
        const isNewProgram = placeProgram(call, program);
        clearCaptureBroken(call.paths);
        const closed = restrictToOwner(call.home);
        // On Windows the settings name the program, whose path may have changed.
        const again = findInstallTargets(call).filter(({ installer }) => isAmong(targets, installer.id));
        const placed = applyAll(call, allowTools(again, allowed), { dryRun: false });
        return { plans: placed, closed, isNewProgram, program: program.root };
      });
      reportInstall(call, targets, { ...done, notes: [...skipped, ...notesOn(call, done.closed)] });
      await offerModel(call, ask, findModel);
      return 0;
    },
  };
}

/** Without a name, an agent whose files cannot be changed is skipped and the others are connected. */
function chooseTargets(call: Call, options: ApplyOptions): { targets: InstallTarget[]; skipped: string[] } {
  const isNamed = call.positionals.length > 0;
  if (isNamed && call.options.all) throw new UsageError('Give the names of agents or --all, not both.');
  const all = findInstallTargets(call);
  if (isNamed) return { targets: all, skipped: [] };
  const skipped = describeUnready(call);
  const targets = all.filter((target) => {
    try {
      return applyAll(call, [target], options);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      skipped.push(`${target.installer.name} was left out. ${error.advice}`);
      return false;
    }
  });
  if (targets.length > 0) return { targets, skipped };
  if (skipped.length > 1) throw new CommandError(['No agent can be connected.', ...skipped].join('\n'));
  return { targets: all, skipped: [] };
}

function isAmong(targets: InstallTarget[], id: string): boolean {
  return targets.some(({ installer }) => installer.id === id);
}

function applyAll(call: Call, targets: InstallTarget[], options: ApplyOptions): InstallPlan[] {
  const comments = call.options['fix-settings'] ? 'remove' : 'refuse';
  return targets.map((target) => applyInstall(call, target, { ...options, comments }));
}

/** Asks once, when an agent is connected for the first time. @returns the agents that may use the tools. */
async function askForTools(
  call: Call,
  targets: InstallTarget[],
  plans: InstallPlan[],
  ask: Ask,
): Promise<string[]> {
  if (!canAsk(call) || call.options['no-mcp'] || call.options['allow-tools']) return [];
  const open = targets.filter(({ installer, place }, index) => {
    const plan = plans[index];
    if (!plan || !installer.canAllowTools?.(place) || plan.edits.some(({ wasThere }) => wasThere))
      return false;
    // If the permission is a separate setting, the person may already have it.
    const permission = plan.parts.find(({ kind }) => kind === 'permission');
    return !permission || permission.inspect(textOf(plan, permission, 'after')) === 'missing';
  });
  const names = joinWithAnd(open.map(({ installer }) => installer.name));
  const question = `Let ${names} use Cairn's tools (search, remember …) without asking you each time?`;
  return open.length > 0 && (await ask(question, false)) ? open.map(({ installer }) => installer.id) : [];
}

function allowTools(targets: InstallTarget[], allowed: string[]): InstallTarget[] {
  return targets.map((target) => {
    const { place, installer } = target;
    const choices = { ...place.choices, allowsTools: true };
    return allowed.includes(installer.id) ? { ...target, place: { ...place, choices } } : target;
  });
}

function notesOn(call: Call, closed: number): string[] {
  const notes: string[] = [];
  if (call.options.project)
    notes.push('If these files are shared through git: on machines without Cairn these hooks do nothing.');
  if (closed > 0)
    notes.push(
      `Other users could read or change ${formatCount(closed, 'file')} in ${call.home}; they no longer can.`,
    );
  return notes;
}
