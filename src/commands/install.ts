import { installInFile, type SettingsChange, uninstallFromFile } from '../agents/install/apply.ts';
import { inspectServer, installServer, removeServer } from '../agents/install/server-entry.ts';
import { clearCaptureBroken } from '../capture/broken-capture.ts';
import { formatCount } from '../context/words.ts';
import { findModel } from '../distill/providers/find-model.ts';
import { cairnCommand } from '../platform/cairn-command.ts';
import { restrictToOwner } from '../platform/private-home.ts';
import { type Ask, askOnTerminal, canAsk, confirmChange } from './support/ask.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { describeKeptFiles, hasChangedFiles, placeCommands } from './support/install-commands.ts';
import {
  describeOptionalPrograms,
  optionalProgramHelp,
  optionalProgramOptions,
  reportOptionalPrograms,
  selectOptionalPrograms,
} from './support/install-optional.ts';
import { placeProgram, planProgram } from './support/install-program.ts';
import {
  buildCaptureCommand,
  findInstallTarget,
  type InstallPlan,
  type InstallTarget,
  installOptions,
  joinWithAnd,
  showPlan,
  withPlainErrors,
} from './support/install-target.ts';
import { type FindModel, offerModel } from './support/offer-model.ts';

export const command = createInstallCommand(askOnTerminal, findModel);

export function createInstallCommand(ask: Ask, findModel: FindModel): Command {
  return {
    name: 'install',
    summary: 'Connect an agent: add hooks, an MCP server and slash commands',
    usage:
      'install [claude-code] [--project] [--no-mcp] [--allow-tools] [--fix-settings] [--statusline] [--suggest-files] [--link] [--dry-run] [--yes] [--json]',
    help: [
      'Everything else in the settings stays as it is; a second run changes nothing.',
      '  --project        only for the project in this folder',
      '  --no-mcp         only hooks: the agent is given memories, but no tools to search them',
      '  --fix-settings   remove comments and trailing commas, with which the agent ignores the file',
      '  --allow-tools    let the agent use these tools without asking you each time',
      ...optionalProgramHelp,
      '  --link           run Cairn from the folder it is in now, such as a clone you change; otherwise hooks run',
      '                   a copy in the home of Cairn, which keeps working if you delete the package or clone',
      '  --dry-run        show the change as a diff and change nothing',
      '  --yes            do not ask',
    ].join('\n'),
    options: {
      ...installOptions,
      ...optionalProgramOptions,
      'no-mcp': { type: 'boolean' },
      'fix-settings': { type: 'boolean' },
      'allow-tools': { type: 'boolean' },
      link: { type: 'boolean' },
    },
    // Another agent has its own installation.
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const target = findInstallTarget(call);
      const mayAllowTools = call.options['allow-tools'] === true && !call.options['no-mcp'];

      // Computed for all files before any is changed.
      const plan = withPlainErrors(call.home, () => placeAll(call, target, mayAllowTools, true));
      if (call.options['dry-run']) return showPlan(call, target, plan);
      if (call.options['fix-settings'] && !call.options.json) showPlan(call, target, plan);
      if (changesSomething(plan) && !(await confirmChange(call, ask, question(target, plan)))) return 1;

      const allowsTools = mayAllowTools || (await isAllowingAgreed(call, target, plan, ask));
      const done = withPlainErrors(call.home, () => {
        const program = planProgram(call);
        const isNewProgram = placeProgram(call, program);
        clearCaptureBroken(call.paths);
        const closed = restrictToOwner(call.home);
        // On Windows the settings name the program, which may have changed.
        const placed = placeAll(call, findInstallTarget(call), allowsTools, false);
        return { ...placed, closed, isNewProgram, program: program.root };
      });
      report(call, target, done);
      await offerModel(call, ask, findModel);
      return 0;
    },
  };
}

function placeAll(call: Call, target: InstallTarget, allowsTools: boolean, dryRun: boolean): InstallPlan {
  const { installer } = target;
  const { command } = buildCaptureCommand(call, installer);
  const wanted = { command, optional: selectOptionalPrograms(call, target), allowsTools };
  const comments = call.options['fix-settings'] ? 'remove' : 'refuse';
  return {
    hooks: installInFile(target.place, (text) => installer.install(text, wanted), { dryRun, comments }),
    server: placeServer(call, target, dryRun),
    commands: placeCommands(call, target, dryRun),
  };
}

/** The person is asked once, at the first installation. */
async function isAllowingAgreed(
  call: Call,
  { agentName, installer }: InstallTarget,
  { hooks }: InstallPlan,
  ask: Ask,
): Promise<boolean> {
  if (!canAsk(call) || call.options['no-mcp'] || hooks.wasThere || installer.allowsTools(hooks.after))
    return false;
  return ask(`Let ${agentName} use Cairn's tools (search, remember …) without asking you each time?`, false);
}

function changesSomething({ hooks, server, commands }: InstallPlan): boolean {
  return hooks.changed || server.changed || hasChangedFiles(commands);
}

/** `--no-mcp` removes a server that an earlier installation registered. */
function placeServer(
  call: Call,
  { server: { place, wanted } }: InstallTarget,
  dryRun: boolean,
): SettingsChange {
  if (call.options['no-mcp'])
    return uninstallFromFile(place, (text, made) => removeServer(text, wanted, made), { dryRun });
  const comments = call.options['fix-settings'] ? 'remove' : 'refuse';
  return installInFile(place, (text) => installServer(text, wanted), { dryRun, comments });
}

function question(target: InstallTarget, { hooks, server, commands }: InstallPlan): string {
  const isAllowing = target.installer.allowsTools(hooks.after) && !target.installer.allowsTools(hooks.before);
  const beside = `${describeOptionalPrograms(target, hooks)}${isAllowing ? " and the permission for Cairn's tools" : ''}`;
  const parts = [
    hooks.changed && `these ${target.installer.events.length} hooks${beside} to ${hooks.path}`,
    server.changed && `the MCP server to ${server.path}`,
    hasChangedFiles(commands) && `slash commands to ${target.commands}`,
  ].filter((part) => part !== false);
  return `Write ${joinWithAnd(parts)}?`;
}

function report(
  call: Call,
  target: InstallTarget,
  done: InstallPlan & { closed: number; isNewProgram: boolean; program: string },
): void {
  const { interpreter } = buildCaptureCommand(call, target.installer);
  const { hooks: outcome, server, commands } = done;
  const hasChanged = changesSomething(done) || done.isNewProgram;
  const status = hasChanged ? (outcome.wasThere ? 'updated' : 'installed') : 'unchanged';
  const state = inspectServer(server.after, target.server.wanted);
  const notes = notesOn(call, target, outcome.after);
  if (done.closed > 0)
    notes.push(
      `Other users could read or change ${formatCount(done.closed, 'file')} in ${call.home}; they no longer can.`,
    );
  if (state === 'foreign')
    notes.push(
      `${server.path} has another server named "cairn". It was not changed, and Cairn's server is not registered.`,
    );
  notes.push(...describeKeptFiles(commands));
  const optional = reportOptionalPrograms(call, target, outcome);
  notes.push(...optional.notes);
  const undo = `${cairnCommand()} uninstall ${target.args}`;
  if (call.options.json) {
    const { agent } = target;
    const events = target.installer.events.map(({ event }) => event);
    printJson(call, {
      agent,
      status,
      file: outcome.path,
      mcp: { file: server.path, state },
      commands: target.commands,
      events,
      ...optional.states,
      allowsTools: target.installer.allowsTools(outcome.after),
      program: done.program,
      interpreter,
      memory: call.home,
      notes,
      undo,
    });
    return;
  }
  const { bold, green, yellow, dim } = call.paint;
  const heading = {
    installed: `Cairn is installed for ${target.agentName}: ${target.installer.events.length} hooks.`,
    updated: `Updated Cairn for ${target.agentName}.`,
    unchanged: `Cairn is already installed for ${target.agentName}; nothing was changed.`,
  };
  call.out(green(heading[status]));
  call.out(`  ${dim('file')}         ${outcome.path}`);
  if (state === 'installed') call.out(`  ${dim('mcp server')}   ${server.path}`);
  call.out(`  ${dim('commands')}     ${target.commands}`);
  for (const line of optional.lines) call.out(line);
  if (target.installer.allowsTools(outcome.after))
    call.out(`  ${dim('tools')}        allowed without asking`);
  call.out(`  ${dim('program')}      ${done.program}`);
  call.out(`  ${dim('interpreter')}  ${interpreter}`);
  call.out(`  ${dim('memory')}       ${call.home}`);
  if (hasChanged) {
    call.out(`Restart ${target.agentName}: running sessions pick this up at their next start.`);
  }
  for (const note of notes) call.out(yellow(note));
  call.out(`Undo: ${bold(undo)}`);
}

function notesOn(call: Call, { installer }: InstallTarget, text: string | null): string[] {
  const notes: string[] = [];
  const plugin = installer.enabledPlugin(text);
  if (plugin) notes.push(`The plugin ${plugin} is enabled too. Each event is still stored once.`);
  if (installer.hooksAreOff(text))
    notes.push('"disableAllHooks" is true in this file: no hook runs until you remove that.');
  if (call.options.project) {
    notes.push('If this file is shared through git: on machines without Cairn these hooks do nothing.');
  }
  return notes;
}
