import type { InstallPart } from '../../agents/install/agent-installer.ts';
import { cairnCommand } from '../../platform/cairn-command.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import { type Call, printJson } from './command.ts';
import { changesAnything, describeKeptFiles, type InstallPlan, textOf } from './install-plan.ts';
import type { InstallTarget } from './install-target.ts';

/** The report at the end of `cairn install`. */

interface Installed {
  plans: InstallPlan[];
  isNewProgram: boolean;
  program: string;
  notes: string[];
}

export function reportInstall(call: Call, targets: InstallTarget[], installed: Installed): void {
  const { program, notes } = installed;
  const interpreter = targets[0]?.place.interpreter;
  const undo = `${cairnCommand()} uninstall ${targets.map(({ installer }) => installer.id).join(' ')}${
    call.options.project ? ' --project' : ''
  }`;
  const agents = targets.flatMap((target, index) => {
    const plan = installed.plans[index];
    return plan ? [describeAgent(target, plan, installed.isNewProgram)] : [];
  });
  if (call.options.json) {
    printJson(call, { agents, program, interpreter, memory: call.home, notes, undo });
    return;
  }
  const { bold, green, yellow, dim } = call.paint;
  for (const [index, { name, status, parts, commands, notes }] of agents.entries()) {
    const hooks = parts.find(({ kind }) => kind === 'hooks');
    // The notes below say why.
    const isWithoutHooks = hooks?.state === 'foreign';
    const heading = {
      installed: `Cairn is installed for ${name}${hooks ? `${isWithoutHooks ? ' without' : ':'} ${hooks.label}.` : '.'}`,
      updated: `Updated Cairn for ${name}.`,
      unchanged: `Cairn is already installed for ${name}; nothing was changed.`,
    };
    if (index > 0) call.out('');
    call.out((isWithoutHooks ? yellow : green)(heading[status]));
    for (const part of parts) {
      const line = describePart(part);
      if (line) call.out(`  ${dim(part.kind.padEnd(11))}  ${line}`);
    }
    if (commands) call.out(`  ${dim('commands')}     ${commands}`);
    if (status !== 'unchanged')
      call.out(`Restart ${name}: running sessions pick this up at their next start.`);
    for (const note of notes) call.out(yellow(note));
  }
  if (agents.length > 1) call.out('');
  call.out(`  ${dim('program')}      ${program}`);
  call.out(`  ${dim('interpreter')}  ${interpreter}`);
  call.out(`  ${dim('memory')}       ${call.home}`);
  for (const note of notes) call.out(yellow(note));
  call.out(`Undo: ${bold(undo)}`);
}

type InstallStatus = 'installed' | 'updated' | 'unchanged';

interface ReportedPart extends Pick<InstallPart, 'kind' | 'label' | 'path'> {
  state: ReturnType<InstallPart['inspect']>;
}

function describeAgent({ installer, place }: InstallTarget, plan: InstallPlan, isNewProgram: boolean) {
  const hasChanged = changesAnything(plan) || isNewProgram;
  const wasThere = plan.edits.some((edit) => edit.wasThere);
  const status: InstallStatus = hasChanged ? (wasThere ? 'updated' : 'installed') : 'unchanged';
  const states = plan.parts.map((part) => ({ part, state: part.inspect(textOf(plan, part, 'after')) }));
  const read = (path: string) => readRegularText(path, CONFIG_LIMIT);
  const plugin = installer.findPlugin?.(place, read);
  const obstacles = installer.findObstacles?.(place, read) ?? [];
  return {
    agent: installer.id,
    name: installer.name,
    status,
    parts: states.map(
      ({ part: { kind, label, path }, state }): ReportedPart => ({ kind, label, path, state }),
    ),
    ...(plan.folder !== null && { commands: plan.folder }),
    notes: [
      ...(plugin ? [`The plugin ${plugin.name} is enabled too. Each event is still stored once.`] : []),
      ...obstacles.filter(({ isEverywhere }) => isEverywhere).map(({ message, fix }) => `${message}. ${fix}`),
      ...states.flatMap(({ part, state }) => part.explain?.(state) ?? []),
      ...describeKeptFiles(plan),
      ...(place.choices.allowsTools && !installer.canAllowTools?.(place)
        ? [
            `--allow-tools changes nothing for ${installer.name}. If it asks before it uses Cairn's tools, allow them there.`,
          ]
        : []),
      ...(installer.check === undefined
        ? []
        : [
            `Nothing of ${installer.name} is captured: it can search, save and hand over memories with Cairn's tools. Check that it has them: ${installer.check}`,
          ]),
      ...(installer.verifiedWith === null
        ? [`Cairn has not been tested with ${installer.name}: the files follow its documentation.`]
        : []),
    ],
  };
}

/** Null for a part that is not installed. */
function describePart({ kind, path, state }: ReportedPart): string | null {
  if (state === 'missing' || state === 'foreign') return null;
  if (kind === 'permission') return "Cairn's tools are allowed without asking";
  if (kind === 'status line' || kind === 'file list') return state === 'shared' ? 'on, after yours' : 'on';
  return path;
}
