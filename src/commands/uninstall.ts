import { enabledPlugin, removeFrom } from '../agents/claude-code/installer.ts';
import { uninstallFrom } from '../agents/install/apply.ts';
import { removeServer } from '../agents/install/server-entry.ts';
import { type Ask, askOnTerminal, isAgreed } from './ask.ts';
import { type Call, type Command, printJson } from './command.ts';
import { haveChanged, notesOnKept, removeCommands } from './install-commands.ts';
import {
  type InstallPlan,
  type InstallTarget,
  installOptions,
  installTarget,
  listed,
  showPlan,
  withPlainErrors,
} from './install-target.ts';

export const command = uninstallCommand(askOnTerminal);

export function uninstallCommand(ask: Ask): Command {
  return {
    name: 'uninstall',
    summary: "Take Cairn's hooks, MCP server and slash commands out of an agent; memory stays",
    usage: 'uninstall claude-code [--project] [--dry-run] [--yes] [--json]',
    help: [
      'The settings become what they were before, with what you and others changed since.',
      '  --project   only for the project in this folder',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: installOptions,
    // A second agent gets an answer of its own.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = installTarget(call);
      const plan = withPlainErrors(call.home, () => removeAll(target, true));
      if (call.options['dry-run']) return showPlan(call, target, plan);
      const files = [plan.hooks, plan.server].filter(({ changed }) => changed).map(({ path }) => path);
      if (haveChanged(plan.commands)) files.push(target.commands);
      const question = `Remove Cairn from ${listed(files)}?`;
      if (files.length > 0 && !(await isAgreed(call, ask, question))) return 1;

      report(
        call,
        target,
        withPlainErrors(call.home, () => removeAll(target, false)),
      );
      return 0;
    },
  };
}

/** In the reverse order of installing: a folder that was made for both goes with the last. */
function removeAll(target: InstallTarget, dryRun: boolean): InstallPlan {
  const { place, server, asked } = target;
  const commands = removeCommands(target, dryRun);
  const removed = uninstallFrom(server.place, (text, made) => removeServer(text, server.wanted, made), {
    dryRun,
  });
  return {
    commands,
    server: removed,
    hooks: uninstallFrom(place, (text, made) => removeFrom(text, asked, made), { dryRun }),
  };
}

function report(call: Call, target: InstallTarget, { hooks: outcome, server, commands }: InstallPlan): void {
  const hasChanged = outcome.changed || server.changed || haveChanged(commands);
  const status = hasChanged ? 'removed' : 'unchanged';
  const plugin = enabledPlugin(outcome.after);
  const notes = plugin
    ? [`The plugin ${plugin} is still on. Remove it with: claude plugin uninstall ${plugin}`]
    : [];
  notes.push(...notesOnKept(commands));
  if (call.options.json) {
    const mcp = { file: server.path, state: server.changed ? 'removed' : 'unchanged' };
    printJson(call, { agent: target.agent, status, file: outcome.path, mcp, memory: call.home, notes });
    return;
  }
  const { bold, green, yellow } = call.paint;
  if (!outcome.changed)
    call.out(`There are no hooks of Cairn in ${outcome.path}; nothing was changed there.`);
  else {
    call.out(green(`Cairn's hooks for ${target.agentName} are gone.`));
    const deed = outcome.after === null ? 'removed, since Cairn had made it' : 'changed';
    call.out(
      `The file ${outcome.path} was ${deed}. Sessions that run already go on without Cairn at their next start.`,
    );
  }
  if (server.changed) call.out(`The MCP server is gone from ${server.path}.`);
  if (haveChanged(commands)) call.out(`The slash commands are gone from ${target.commands}.`);
  for (const note of notes) call.out(yellow(note));
  call.out(`The memory stays in ${call.home}. To delete it too, delete that folder.`);
  if (hasChanged) call.out(`To install again: ${bold(`cairn install ${target.args}`)}`);
}
