import { registeredEvents } from '../agents/claude-code/events.ts';
import { enabledPlugin, hooksAreOff, installInto } from '../agents/claude-code/installer.ts';
import { installIn, type Outcome, uninstallFrom } from '../agents/install/apply.ts';
import { inspectServer, installServer, removeServer } from '../agents/install/server-entry.ts';
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
    summary: 'Let an agent report to Cairn and ask it: adds hooks and an MCP server to its settings',
    usage: 'install claude-code [--project] [--no-mcp] [--dry-run] [--yes] [--json]',
    help: [
      'Everything else in the settings stays byte for byte as it is; a second time changes nothing.',
      '  --project   only for the project in this folder',
      '  --no-mcp    only hooks: the agent is told of its memory, but has no tools to search it',
      '  --dry-run   show the change as a diff and change nothing',
      '  --yes       do not ask',
    ].join('\n'),
    options: { ...installOptions, 'no-mcp': { type: 'boolean' } },
    // A second agent gets an answer of its own.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = installTarget(call);
      const { command, interpreter } = captureCommand(call);
      const install = (text: string | null) => installInto(text, command);

      // Worked out for both files before either is changed.
      const plan = withPlainErrors(call.home, () => ({
        hooks: installIn(target.place, install, { dryRun: true }),
        server: placeServer(call, target, true),
      }));
      if (call.options['dry-run']) return showPlan(call, target, plan.hooks, plan.server);
      const changes = plan.hooks.changed || plan.server.changed;
      if (changes && !(await isAgreed(call, ask, question(plan.hooks, plan.server)))) return 1;

      const done = withPlainErrors(call.home, () => {
        prepareHome(call.home, call.env.searchPath);
        return { hooks: installIn(target.place, install), server: placeServer(call, target, false) };
      });
      report(call, target, done.hooks, done.server, interpreter);
      return 0;
    },
  };
}

/** With `--no-mcp` a server that an earlier installation registered goes. */
function placeServer(call: Call, { server: { place, wanted } }: InstallTarget, dryRun: boolean): Outcome {
  if (call.options['no-mcp'])
    return uninstallFrom(place, (text, made) => removeServer(text, wanted, made), { dryRun });
  return installIn(place, (text) => installServer(text, wanted), { dryRun });
}

function question(hooks: Outcome, server: Outcome): string {
  const toHooks = `Write these ${registeredEvents.length} hooks to ${hooks.path}`;
  if (!server.changed) return `${toHooks}?`;
  return hooks.changed
    ? `${toHooks}, and the MCP server to ${server.path}?`
    : `Write the MCP server to ${server.path}?`;
}

function report(
  call: Call,
  target: InstallTarget,
  outcome: Outcome,
  server: Outcome,
  interpreter: string,
): void {
  const hasChanged = outcome.changed || server.changed;
  const status = hasChanged ? (outcome.wasThere ? 'updated' : 'installed') : 'unchanged';
  const state = inspectServer(server.after, target.server.wanted);
  const notes = notesOn(call, outcome.after);
  if (state === 'foreign')
    notes.push(
      `Another server is called "cairn" in ${server.path}; it was left alone, and ours is not registered.`,
    );
  const undo = `cairn uninstall ${target.args}`;
  if (call.options.json) {
    const { agent } = target;
    const events = registeredEvents.map(({ event }) => event);
    printJson(call, {
      agent,
      status,
      file: outcome.path,
      mcp: { file: server.path, state },
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
    updated: `Cairn for ${target.agentName} was brought up to date.`,
    unchanged: `Cairn is already installed for ${target.agentName}; nothing was changed.`,
  };
  call.out(green(heading[status]));
  call.out(`  ${dim('file')}         ${outcome.path}`);
  if (state === 'installed') call.out(`  ${dim('mcp server')}   ${server.path}`);
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
