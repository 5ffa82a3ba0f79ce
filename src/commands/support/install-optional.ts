import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import type { SettingsChange } from '../../agents/install/apply.ts';
import { type CommandState, inspectCommandSetting } from '../../agents/install/command-setting.ts';
import type { Call } from './command.ts';
import type { InstallTarget } from './install-target.ts';

/** Optional programs of a client: its status line and its file suggestions. */

export const optionalProgramOptions = {
  statusline: { type: 'boolean' },
  'suggest-files': { type: 'boolean' },
} as const;

export const optionalProgramHelp = [
  '  --statusline     show model, context left, work item, tasks and memory below the prompt; a status line of',
  '                   your own stays and comes first',
  '  --suggest-files  rank files after @ by memory and git; suggestions of your current command come first',
];

type OptionalProgram = keyof AgentInstaller['programs'];
type WantedPrograms = Parameters<AgentInstaller['install']>[1]['optional'];

const NAMES: Record<OptionalProgram, string> = { statusLine: 'status line', fileSuggestion: 'file list' };
const IN_WORDS: Partial<Record<CommandState, string>> = { installed: 'on', shared: 'on, after yours' };

/** An installed program is updated even if it was not requested. */
export function selectOptionalPrograms(call: Call, { optional, installer }: InstallTarget): WantedPrograms {
  return optional.map((command) => ({
    ...command,
    onlyRenew: !call.options[installer.programs[command.key]],
  }));
}

/** What the person agrees to besides the hooks. */
export function describeOptionalPrograms(
  { optional }: InstallTarget,
  { before, after }: SettingsChange,
): string {
  return optional
    .filter((command) => inspectCommandSetting(before, command) !== inspectCommandSetting(after, command))
    .map((command) => {
      const isShared = inspectCommandSetting(after, command) === 'shared';
      return ` and the ${NAMES[command.key]}${isShared ? ' (yours stays and comes first)' : ''}`;
    })
    .join('');
}

export function reportOptionalPrograms(
  call: Call,
  { optional, installer }: InstallTarget,
  { path, after }: SettingsChange,
) {
  const all = optional.map((command) => ({ key: command.key, state: inspectCommandSetting(after, command) }));
  const isWanted = (key: OptionalProgram) => Boolean(call.options[installer.programs[key]]);
  return {
    states: Object.fromEntries(all.map(({ key, state }) => [key, state])),
    lines: all.flatMap(({ key, state }) => {
      const says = IN_WORDS[state];
      return says ? [`  ${call.paint.dim(NAMES[key].padEnd(11))}  ${says}`] : [];
    }),
    notes: all
      .filter(({ key, state }) => state === 'foreign' && isWanted(key))
      .map(({ key }) => `"${key}" in ${path} is not a command that Cairn can call; it was not changed.`),
  };
}
