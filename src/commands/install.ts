import { registeredEvents } from '../agents/claude-code/events.ts';
import { enabledPlugin, hooksAreOff, installInto } from '../agents/claude-code/installer.ts';
import { installIn, type Outcome, uninstallFrom } from '../agents/install/apply.ts';
import type { Edited } from '../agents/install/edited.ts';
import { inspectServer, installServer, removeServer } from '../agents/install/server-entry.ts';
import { prepareHome } from '../capture/home.ts';
import { counted } from '../context/words.ts';
import { closeToOthers } from '../platform/private-home.ts';
import { type Ask, askOnTerminal, isAgreed } from './ask.ts';
import { type Call, type Command, printJson } from './command.ts';
import { askedHelp, askedIn, askedOptions, askedQuestion, reportAsked } from './install-asked.ts';
import { haveChanged, notesOnKept, placeCommands } from './install-commands.ts';
import {
  captureCommand,
  type InstallPlan,
  type InstallTarget,
  installOptions,
  installTarget,
  listed,
  showPlan,
  withPlainErrors,
} from './install-target.ts';

export const command = installCommand(askOnTerminal);

export function installCommand(ask: Ask): Command {
  return {
    name: 'install',
    summary: 'Let an agent report to Cairn and ask it: adds hooks, an MCP server and slash commands to it',
    usage:
      'install claude-code [--project] [--no-mcp] [--statusline] [--suggest-files] [--dry-run] [--yes] [--json]',
    help: [
      'Everything else in the settings stays byte for byte as it is; a second time changes nothing.',
      '  --project        only for the project in this folder',
      '  --no-mcp         only hooks: the agent is told of its memory, but has no tools to search it',
      ...askedHelp,
      '  --dry-run        show the change as a diff and change nothing',
      '  --yes            do not ask',
    ].join('\n'),
    options: { ...installOptions, ...askedOptions, 'no-mcp': { type: 'boolean' } },
    // A second agent gets an answer of its own.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = installTarget(call);
      const { command, interpreter } = captureCommand(call);
      const asked = askedIn(call, target);
      const install = (text: string | null) => installInto(text, { command, asked });

      // Worked out for all files before any is changed.
      const plan = withPlainErrors(call.home, () => placeAll(call, target, install, true));
      if (call.options['dry-run']) return showPlan(call, target, plan);
      if (changesSomething(plan) && !(await isAgreed(call, ask, question(target, plan)))) return 1;

      const done = withPlainErrors(call.home, () => {
        prepareHome(call.home, call.env.searchPath);
        return { ...placeAll(call, target, install, false), closed: closeToOthers(call.home) };
      });
      report(call, target, done, interpreter);
      return 0;
    },
  };
}

function placeAll(
  call: Call,
  target: InstallTarget,
  install: (text: string | null) => Edited,
  dryRun: boolean,
): InstallPlan {
  return {
    hooks: installIn(target.place, install, { dryRun }),
    server: placeServer(call, target, dryRun),
    commands: placeCommands(call, target, dryRun),
  };
}

function changesSomething({ hooks, server, commands }: InstallPlan): boolean {
  return hooks.changed || server.changed || haveChanged(commands);
}

/** With `--no-mcp` a server that an earlier installation registered goes. */
function placeServer(call: Call, { server: { place, wanted } }: InstallTarget, dryRun: boolean): Outcome {
  if (call.options['no-mcp'])
    return uninstallFrom(place, (text, made) => removeServer(text, wanted, made), { dryRun });
  return installIn(place, (text) => installServer(text, wanted), { dryRun });
}

function question(target: InstallTarget, { hooks, server, commands }: InstallPlan): string {
  const beside = askedQuestion(target, hooks);
  const parts = [
    hooks.changed && `these ${registeredEvents.length} hooks${beside} to ${hooks.path}`,
    server.changed && `the MCP server to ${server.path}`,
    haveChanged(commands) && `slash commands to ${target.commands}`,
  ].filter((part) => part !== false);
  return `Write ${listed(parts)}?`;
}

function report(
  call: Call,
  target: InstallTarget,
  done: InstallPlan & { closed: number },
  interpreter: string,
): void {
  const { hooks: outcome, server, commands } = done;
  const hasChanged = changesSomething(done);
  const status = hasChanged ? (outcome.wasThere ? 'updated' : 'installed') : 'unchanged';
  const state = inspectServer(server.after, target.server.wanted);
  const notes = notesOn(call, outcome.after);
  if (done.closed > 0)
    notes.push(
      `Other users could read or change ${counted(done.closed, 'file')} in ${call.home}; they no longer can.`,
    );
  if (state === 'foreign')
    notes.push(
      `Another server is called "cairn" in ${server.path}; it was left alone, and ours is not registered.`,
    );
  notes.push(...notesOnKept(commands));
  const asked = reportAsked(call, target, outcome);
  notes.push(...asked.notes);
  const undo = `cairn uninstall ${target.args}`;
  if (call.options.json) {
    const { agent } = target;
    const events = registeredEvents.map(({ event }) => event);
    printJson(call, {
      agent,
      status,
      file: outcome.path,
      mcp: { file: server.path, state },
      commands: target.commands,
      events,
      ...asked.states,
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
    updated: `Cairn for ${target.agentName} was brought up to date.`,
    unchanged: `Cairn is already installed for ${target.agentName}; nothing was changed.`,
  };
  call.out(green(heading[status]));
  call.out(`  ${dim('file')}         ${outcome.path}`);
  if (state === 'installed') call.out(`  ${dim('mcp server')}   ${server.path}`);
  call.out(`  ${dim('commands')}     ${target.commands}`);
  for (const line of asked.lines) call.out(line);
  call.out(`  ${dim('interpreter')}  ${interpreter}`);
  call.out(`  ${dim('memory')}       ${call.home}`);
  if (hasChanged) {
    call.out(`Restart ${target.agentName}: sessions that run already pick this up at their next start.`);
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
