import { enabledPlugin, removeFrom } from '../agents/claude-code/installer.ts';
import { type Outcome, uninstallFrom } from '../agents/install/apply.ts';
import { type Ask, askOnTerminal, isAgreed } from './ask.ts';
import { type Call, type Command, printJson } from './command.ts';
import {
  type InstallTarget,
  installOptions,
  installTarget,
  showPlan,
  withPlainErrors,
} from './install-target.ts';

export const command = uninstallCommand(askOnTerminal);

export function uninstallCommand(ask: Ask): Command {
  return {
    name: 'uninstall',
    summary: "Take Cairn's hooks out of an agent's settings; memory stays",
    usage: 'uninstall claude-code [--project] [--dry-run] [--yes] [--json]',
    help: [
      'The settings become what they were before, with what you and others changed since.',
      '  --project   the settings of the project in this folder instead of your own',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: installOptions,
    // A second agent gets an answer of its own.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = installTarget(call);
      const plan = withPlainErrors(call.home, () =>
        uninstallFrom(target.place, removeFrom, { dryRun: true }),
      );
      if (call.options['dry-run']) return showPlan(call, target, plan);
      const question = `Remove Cairn's hooks from ${plan.path}?`;
      if (plan.changed && !(await isAgreed(call, ask, question))) return 1;

      const outcome = withPlainErrors(call.home, () => uninstallFrom(target.place, removeFrom));
      report(call, target, outcome);
      return 0;
    },
  };
}

function report(call: Call, target: InstallTarget, outcome: Outcome): void {
  const status = outcome.changed ? 'removed' : 'unchanged';
  const plugin = enabledPlugin(outcome.after);
  const notes = plugin
    ? [`The plugin ${plugin} is still on. Remove it with: claude plugin uninstall ${plugin}`]
    : [];
  if (call.options.json) {
    printJson(call, { agent: target.agent, status, file: outcome.path, memory: call.home, notes });
    return;
  }
  const { bold, green, yellow } = call.paint;
  if (!outcome.changed) call.out(`There are no hooks of Cairn in ${outcome.path}; nothing was changed.`);
  else {
    call.out(green(`Cairn's hooks for ${target.agentName} are gone.`));
    const deed = outcome.after === null ? 'removed, since Cairn had made it' : 'changed';
    call.out(
      `The file ${outcome.path} was ${deed}. Sessions that run already go on without Cairn at their next start.`,
    );
  }
  for (const note of notes) call.out(yellow(note));
  call.out(`The memory stays in ${call.home}. To delete it too, delete that folder.`);
  if (outcome.changed) call.out(`To install again: ${bold(`cairn install ${target.args}`)}`);
}
