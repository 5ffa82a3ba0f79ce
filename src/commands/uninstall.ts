import { uninstallFromFile } from '../agents/install/apply.ts';
import { removeServer } from '../agents/install/server-entry.ts';
import { cairnCommand } from '../platform/cairn-command.ts';
import { CONFIG_LIMIT, readRegularText } from '../platform/read-regular-file.ts';
import { type Ask, askOnTerminal, confirmChange } from './support/ask.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { describeKeptFiles, hasChangedFiles, removeCommands } from './support/install-commands.ts';
import { removeProgram } from './support/install-program.ts';
import {
  findInstallTarget,
  type InstallPlan,
  type InstallTarget,
  installOptions,
  joinWithAnd,
  showPlan,
  withPlainErrors,
} from './support/install-target.ts';

export const command = createUninstallCommand(askOnTerminal);

export function createUninstallCommand(ask: Ask): Command {
  return {
    name: 'uninstall',
    summary: 'Disconnect an agent: remove hooks, MCP server and slash commands; memories stay',
    usage: 'uninstall [claude-code] [--project] [--dry-run] [--yes] [--json]',
    help: [
      'The settings become what they were before, plus what you and others changed since.',
      '  --project   only for the project in this folder',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: installOptions,
    // Another agent has its own installation.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = findInstallTarget(call);
      const plan = withPlainErrors(call.home, () => removeAll(target, true));
      if (call.options['dry-run']) return showPlan(call, target, plan);
      const files = [plan.hooks, plan.server].filter(({ changed }) => changed).map(({ path }) => path);
      if (hasChangedFiles(plan.commands)) files.push(target.commands);
      const question = `Remove Cairn from ${joinWithAnd(files)}?`;
      if (files.length > 0 && !(await confirmChange(call, ask, question))) return 1;

      const done = withPlainErrors(call.home, () => removeAll(target, false));
      // The plugin uses the program in the home too.
      const settings = [
        done.hooks.after,
        readRegularText(target.installer.settingsPath(call.env), CONFIG_LIMIT),
      ];
      if (!settings.some((text) => target.installer.enabledPlugin(text)))
        withPlainErrors(call.home, () => removeProgram(call));
      report(call, target, done);
      return 0;
    },
  };
}

/** In reverse order of installing: a folder that was created for both goes with the last. */
function removeAll(target: InstallTarget, dryRun: boolean): InstallPlan {
  const { place, server, optional } = target;
  const commands = removeCommands(target, dryRun);
  const removed = uninstallFromFile(server.place, (text, made) => removeServer(text, server.wanted, made), {
    dryRun,
  });
  return {
    commands,
    server: removed,
    hooks: uninstallFromFile(place, (text, made) => target.installer.remove(text, optional, made), {
      dryRun,
    }),
  };
}

function report(call: Call, target: InstallTarget, { hooks: outcome, server, commands }: InstallPlan): void {
  const hasChanged = outcome.changed || server.changed || hasChangedFiles(commands);
  const status = hasChanged ? 'removed' : 'unchanged';
  const plugin = target.installer.enabledPlugin(outcome.after);
  const notes = plugin
    ? [`The plugin ${plugin} is still on. Remove it with: claude plugin uninstall ${plugin}`]
    : [];
  notes.push(...describeKeptFiles(commands));
  if (call.options.json) {
    const mcp = { file: server.path, state: server.changed ? 'removed' : 'unchanged' };
    printJson(call, { agent: target.agent, status, file: outcome.path, mcp, memory: call.home, notes });
    return;
  }
  const { bold, green, yellow } = call.paint;
  if (!outcome.changed) call.out(`There are no Cairn hooks in ${outcome.path}; nothing was changed there.`);
  else {
    call.out(green(`Removed Cairn's hooks for ${target.agentName}.`));
    const result = outcome.after === null ? 'deleted, because Cairn had created it' : 'changed';
    call.out(
      `The file ${outcome.path} was ${result}. Running sessions stop using Cairn at their next start.`,
    );
  }
  if (server.changed) call.out(`Removed the MCP server from ${server.path}.`);
  if (hasChangedFiles(commands)) call.out(`Removed the slash commands from ${target.commands}.`);
  for (const note of notes) call.out(yellow(note));
  call.out(`Memories stay in ${call.home}. To delete them too, delete that folder.`);
  if (hasChanged) call.out(`Install again: ${bold(`${cairnCommand()} install ${target.args}`)}`);
}
