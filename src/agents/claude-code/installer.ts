import { dirname, join } from 'node:path';
import { quoteForShell, unquoteFromShell } from '../../platform/shell.ts';
import { installCommand, removeCommand, type WantedCommand } from '../install/command-setting.ts';
import type { Edited, EntryState, Made } from '../install/edited.ts';
import { inspectEntries, installEntries, removeEntries, type WantedEntry } from '../install/hook-entries.ts';
import { parseJsonText, properties, property } from '../install/json-text.ts';
import { registeredEvents } from './events.ts';

/** How Cairn gets into Claude Code's settings. Text in, text out; `install/apply.ts` does it to a file. */

export type CommandFor = (event: string) => string;

export interface CaptureParts {
  platform: NodeJS.Platform;
  captureScript: string;
  /** Absolute: hooks run with whatever PATH the agent was started with. */
  interpreter: string;
  hookProgram: string;
}

export function commandFor({ platform, captureScript, interpreter, hookProgram }: CaptureParts): CommandFor {
  if (platform === 'win32') {
    const call = `${quotedForWindows(interpreter)} ${quotedForWindows(hookProgram)}`;
    return (event) => `${call} claude-code ${event} settings`;
  }
  // Read by the shell that the client starts anyway. `command` keeps that shell from ending with 2, which
  // would block what the agent is doing, should the script vanish between the test and the reading.
  const start = `f=${quoteForShell(captureScript)}; [ -r "$f" ] || exit 0;`;
  return (event) => `${start} set -- claude-code ${event} settings; command . "$f"; exit 0`;
}

/** Whatever version wrote it and wherever Cairn lay then. */
export function isOurs(command: string): boolean {
  const isShellForm = /capture\.sh['"]/.test(command) && /\bset -- claude-code /.test(command);
  return isShellForm || /hook\.cjs" claude-code \w+/.test(command);
}

/** What the client asks one program for, whenever it draws or a person types. */
export const ASKED = { statusLine: 'statusline', fileSuggestion: 'suggest-files' } as const;

export type Asked = keyof typeof ASKED;

export interface AskedParts {
  platform: NodeJS.Platform;
  interpreter: string;
  hookProgram: string;
  /** Where it is not the usual one. */
  cairnHome?: string;
}

export function askedCommand(key: Asked, parts: AskedParts): WantedCommand {
  const { platform, interpreter, hookProgram, cairnHome } = parts;
  const word = ASKED[key];
  if (platform === 'win32') {
    const ours = `${quotedForWindows(interpreter)} ${quotedForWindows(hookProgram)} ${word}`;
    const isAsked = new RegExp(`hook\\.cjs" ${word}$`);
    return {
      key,
      command: (theirs) => (theirs === undefined ? ours : null),
      read: (command) => (isAsked.test(command) ? {} : null),
    };
  }
  const home = cairnHome === undefined ? '' : `export CAIRN_HOME=${quoteForShell(cairnHome)}; `;
  const programs = `n=${quoteForShell(interpreter)}; f=${quoteForShell(hookProgram)}; ${home}`;
  // Where Cairn is gone, theirs goes on alone.
  const call = `[ -x "$n" ] && [ -r "$f" ] && exec "$n" "$f" ${word}`;
  const form = new RegExp(
    `^(?:t=('(?:[^']|'\\\\'')*'); )?n=.+ exec "\\$n" "\\$f" ${word}(?: "\\$t"; eval "\\$t"|; exit 0)$`,
  );
  return {
    key,
    command: (theirs) =>
      theirs === undefined
        ? `${programs}${call}; exit 0`
        : `t=${quoteForShell(theirs)}; ${programs}${call} "$t"; eval "$t"`,
    read(command) {
      const found = form.exec(command);
      return found && (found[1] === undefined ? {} : { theirs: unquoteFromShell(found[1]) });
    },
  };
}

/** Hooks, and what the client is to ask us for; with `onlyRenew` only where it does already. */
export interface WantedSettings {
  command: CommandFor;
  asked: (WantedCommand & { onlyRenew: boolean })[];
}

export function installInto(text: string | null, { command, asked }: WantedSettings): Edited {
  return asked.reduce(
    (before, each) => inOneGo(before, installCommand(before.text, each, each)),
    installEntries(text, wanted(command), isOurs),
  );
}

export function removeFrom(text: string, asked: WantedCommand[], made?: Made): Edited {
  return asked.reduce(
    (before, each) => inOneGo(before, removeCommand(before.text, each, made)),
    removeEntries(text, isOurs, made),
  );
}

function inOneGo(first: Edited, second: Edited): Edited {
  return {
    text: second.text,
    changed: first.changed || second.changed,
    undo: [...second.undo, ...first.undo],
    made: {
      object: first.made.object || second.made.object,
      containers: [...first.made.containers, ...second.made.containers],
    },
    wasThere: first.wasThere || second.wasThere,
  };
}

export function inspect(text: string | null, command: CommandFor): { event: string; state: EntryState }[] {
  return inspectEntries(text, wanted(command), isOurs);
}

export function settingsPath(where: {
  userHome: string;
  claudeConfigDir?: string;
  project?: string;
}): string {
  if (where.project !== undefined) return join(where.project, '.claude', 'settings.json');
  return join(where.claudeConfigDir ?? join(where.userHome, '.claude'), 'settings.json');
}

/** Beside the settings. A file in there is a command that begins with the folder's name: `/cairn:handoff`. */
export function commandsFolder(settings: string): string {
  return join(dirname(settings), 'commands', 'cairn');
}

/** Where the client keeps what is not settings: whom it trusts, which servers it starts. */
export function clientConfigPath(where: { userHome: string; claudeConfigDir?: string }): string {
  return join(where.claudeConfigDir ?? where.userHome, '.claude.json');
}

/** Cairn's plugin, as this file names it (`cairn@<marketplace>`), if it is switched on there. */
export function enabledPlugin(text: string | null): string | undefined {
  const plugins = properties(property(parseJsonText(text ?? ''), 'enabledPlugins'));
  return plugins.find(({ key, value }) => key.startsWith('cairn@') && value.value === true)?.key;
}

export function hooksAreOff(text: string | null): boolean {
  return property(parseJsonText(text ?? ''), 'disableAllHooks')?.value === true;
}

function wanted(command: CommandFor): WantedEntry[] {
  return registeredEvents.map(({ event, matcher, timeoutSeconds }) => ({
    event,
    command: command(event),
    timeout: timeoutSeconds,
    ...(matcher !== undefined && { matcher }),
  }));
}

/** Forward slashes mean the same to Windows and survive both cmd and Git Bash; a path there holds no quotes. */
function quotedForWindows(path: string): string {
  return `"${path.replaceAll('\\', '/')}"`;
}
