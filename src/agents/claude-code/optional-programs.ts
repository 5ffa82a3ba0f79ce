import { quoteForShell, unquoteFromShell } from '../../platform/shell.ts';
import type { InstallPart, InstallPlace, PartKind, PartState } from '../install/agent-installer.ts';
import {
  inspectCommandSetting,
  installCommandSetting,
  removeCommandSetting,
  type WantedCommand,
} from '../install/command-setting.ts';
import { quoteForWindows } from '../install/hook-command.ts';

/** Settings that name a single program which the client runs, with Cairn's program for each. */
const PROGRAMS: { key: string; program: string; kind: PartKind }[] = [
  { key: 'statusLine', program: 'statusline', kind: 'status line' },
  { key: 'fileSuggestion', program: 'suggest-files', kind: 'file list' },
];

/** An installed program is updated even if it was not requested again. */
export function listOptionalPrograms(path: string, place: InstallPlace): InstallPart[] {
  return PROGRAMS.map(({ key, program, kind }) => {
    const wanted = buildOptionalCommand(key, program, place);
    const isAskedFor = place.choices.programs.includes(program);
    return {
      kind,
      label: `the ${kind}`,
      path,
      isWanted: true,
      isPlainJson: true,
      install: (text) => installCommandSetting(text, wanted, { onlyRenew: !isAskedFor }),
      remove: (text, made) => removeCommandSetting(text, wanted, made),
      inspect: (text) => inspectCommandSetting(text, wanted),
      explain: (state) => explainProgram(state, isAskedFor, { key, path }),
    };
  });
}

function explainProgram(
  state: PartState,
  isAskedFor: boolean,
  { key, path }: { key: string; path: string },
): string | undefined {
  if (state !== 'foreign' || !isAskedFor) return undefined;
  return `"${key}" in ${path} is not a command that Cairn can call; it was not changed.`;
}

type CommandPlace = Pick<InstallPlace, 'platform' | 'launcher' | 'interpreter' | 'hookProgram'>;

export function buildOptionalCommand(key: string, program: string, place: CommandPlace): WantedCommand {
  const { platform, launcher, interpreter, hookProgram } = place;
  if (platform === 'win32') {
    const ours = `${quoteForWindows(interpreter)} ${quoteForWindows(hookProgram)} ${program}`;
    const isAsked = new RegExp(`hook\\.cjs" ${program}$`);
    return {
      key,
      command: (theirs) => (theirs === undefined ? ours : null),
      read: (command) => (isAsked.test(command) ? {} : null),
    };
  }
  // Sourcing the launcher saves a process. If Cairn was removed, the user's own command still runs.
  const file = `f=${quoteForShell(launcher)};`;
  const form = new RegExp(
    `^(?:t=('(?:[^']|'\\\\'')*'); )?f=.+ set -- ${program}(?: "\\$t")?; \\[ ! -r "\\$f" \\] \\|\\| command \\. "\\$f"; (?:eval "\\$t"|exit 0)$`,
  );
  return {
    key,
    command: (theirs) =>
      theirs === undefined
        ? `${file} set -- ${program}; [ ! -r "$f" ] || command . "$f"; exit 0`
        : `t=${quoteForShell(theirs)}; ${file} set -- ${program} "$t"; [ ! -r "$f" ] || command . "$f"; eval "$t"`,
    read(command) {
      const found = form.exec(command);
      return found && (found[1] === undefined ? {} : { theirs: unquoteFromShell(found[1]) });
    },
  };
}
