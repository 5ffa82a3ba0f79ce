import { registeredEvents } from '../agents/claude-code/events.ts';
import { enabledPlugin, hooksAreOff, installInto } from '../agents/claude-code/installer.ts';
import { installIn, type Outcome } from '../agents/install/apply.ts';
import { prepareHome } from '../capture/home.ts';
import { type Ask, askOnTerminal, isAgreed } from './ask.ts';
import { type Call, type Command, printJson } from './command.ts';
import {
  captureCommand,
  type InstallTarget,
  installOptions,
  installTarget,
  showPlan,
  withPlainErrors,
} from './install-target.ts';

export const command = installCommand(askOnTerminal);

export function installCommand(ask: Ask): Command {
  return {
    name: 'install',
    summary: 'Let an agent report to Cairn: adds hooks to its settings',
    usage: 'install claude-code [--project] [--dry-run] [--yes] [--json]',
    help: [
      'Everything else in the settings stays byte for byte as it is; a second time changes nothing.',
      '  --project   the settings of the project in this folder instead of your own',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: installOptions,
    // A second agent gets an answer of its own.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = installTarget(call);
      const { command, interpreter } = captureCommand(call);
      const install = (text: string | null) => installInto(text, command);

      const plan = withPlainErrors(call.home, () => installIn(target.place, install, { dryRun: true }));
      if (call.options['dry-run']) return showPlan(call, target, plan);
      const question = `Write these ${registeredEvents.length} hooks to ${plan.path}?`;
      if (plan.changed && !(await isAgreed(call, ask, question))) return 1;

      const outcome = withPlainErrors(call.home, () => {
        prepareHome(call.home, call.env.searchPath);
        return installIn(target.place, install);
      });
      report(call, target, outcome, interpreter);
      return 0;
    },
  };
}

function report(call: Call, target: InstallTarget, outcome: Outcome, interpreter: string): void {
  const status = outcome.changed ? (outcome.wasThere ? 'updated' : 'installed') : 'unchanged';
  const notes = notesOn(call, outcome.after);
  const undo = `cairn uninstall ${target.args}`;
  if (call.options.json) {
    const { agent } = target;
    const events = registeredEvents.map(({ event }) => event);
    printJson(call, {
      agent,
      status,
      file: outcome.path,
      events,
      interpreter,
      memory: call.home,
      notes,
      undo,
    });
    return;
  }
  const { bold, green, yellow, dim } = call.paint;
  const heading = {
    installed: `Cairn is installed for ${target.agentName}: ${registeredEvents.length} hooks.`,
    updated: `Cairn's hooks for ${target.agentName} were brought up to date.`,
    unchanged: `Cairn is already installed for ${target.agentName}; nothing was changed.`,
  };
  call.out(green(heading[status]));
  call.out(`  ${dim('file')}         ${outcome.path}`);
  call.out(`  ${dim('interpreter')}  ${interpreter}`);
  call.out(`  ${dim('memory')}       ${call.home}`);
  if (outcome.changed) {
    call.out(`Restart ${target.agentName}: sessions that run already pick the hooks up at their next start.`);
  }
  for (const note of notes) call.out(yellow(note));
  call.out(`To undo it: ${bold(undo)}`);
}

function notesOn(call: Call, text: string | null): string[] {
  const notes: string[] = [];
  const plugin = enabledPlugin(text);
  if (plugin) notes.push(`The plugin ${plugin} is on as well. That is fine: each event is kept once.`);
  if (hooksAreOff(text))
    notes.push('"disableAllHooks" is true in this file: no hook runs until you remove that.');
  if (call.options.project) {
    notes.push('If this file is shared through git: on other machines these hooks do nothing, in silence.');
  }
  return notes;
}
