import { dirname, join } from 'node:path';
import { quoteForShell, unquoteFromShell } from '../../platform/shell.ts';
import type { AgentHome } from '../agent.ts';
import {
  installCommandSetting,
  removeCommandSetting,
  type WantedCommand,
} from '../install/command-setting.ts';
import type { AddedParts, EditedSettings, EntryState } from '../install/edited-settings.ts';
import { inspectEntries, installEntries, removeEntries, type WantedEntry } from '../install/hook-entries.ts';
import { findProperty, listProperties, parseJsonText } from '../install/json-text.ts';
import { installText, removeText, type WantedText } from '../install/list-entry.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';
import { SERVER_NAME } from './mcp-server.ts';

/** Cairn's entries in Claude Code's settings. Text in, text out; `install/apply.ts` changes the file. */

export type BuildCommand = (event: string) => string;

export interface CaptureParts {
  platform: NodeJS.Platform;
  captureScript: string;
  /** Absolute, because hooks run with the PATH that the agent was started with. */
  interpreter: string;
  hookProgram: string;
}

export function buildHookCommand({
  platform,
  captureScript,
  interpreter,
  hookProgram,
}: CaptureParts): BuildCommand {
  if (platform === 'win32') {
    const call = `${quotedForWindows(interpreter)} ${quotedForWindows(hookProgram)}`;
    return (event) => `${call} claude-code ${event} settings`;
  }
  // Sourced by the shell that the client starts anyway. `command` keeps that shell from exiting with 2, which would
  // block the agent, if the script disappears between the test and the read.
  const start = `f=${quoteForShell(captureScript)}; [ -r "$f" ] || exit 0;`;
  return (event) => `${start} set -- claude-code ${event} settings; command . "$f"; exit 0`;
}

/** Matches entries from any Cairn version and install path. */
export function isOurCommand(command: string): boolean {
  const isShellForm = /capture\.sh['"]/.test(command) && /\bset -- claude-code /.test(command);
  return isShellForm || /hook\.cjs" claude-code \w+/.test(command);
}

export const OPTIONAL_COMMANDS = { statusLine: 'statusline', fileSuggestion: 'suggest-files' } as const;

export type OptionalCommand = keyof typeof OPTIONAL_COMMANDS;

export interface OptionalCommandParts {
  platform: NodeJS.Platform;
  /** Runs the installed program with any available node. Not used on Windows. */
  launcher: string;
  interpreter: string;
  hookProgram: string;
}

export function buildOptionalCommand(key: OptionalCommand, parts: OptionalCommandParts): WantedCommand {
  const { platform, launcher, interpreter, hookProgram } = parts;
  const word = OPTIONAL_COMMANDS[key];
  if (platform === 'win32') {
    const ours = `${quotedForWindows(interpreter)} ${quotedForWindows(hookProgram)} ${word}`;
    const isAsked = new RegExp(`hook\\.cjs" ${word}$`);
    return {
      key,
      command: (theirs) => (theirs === undefined ? ours : null),
      read: (command) => (isAsked.test(command) ? {} : null),
    };
  }
  // The launcher is sourced to save a process. If Cairn was removed, the user's own command still runs.
  const file = `f=${quoteForShell(launcher)};`;
  const form = new RegExp(
    `^(?:t=('(?:[^']|'\\\\'')*'); )?f=.+ set -- ${word}(?: "\\$t")?; \\[ ! -r "\\$f" \\] \\|\\| command \\. "\\$f"; (?:eval "\\$t"|exit 0)$`,
  );
  return {
    key,
    command: (theirs) =>
      theirs === undefined
        ? `${file} set -- ${word}; [ ! -r "$f" ] || command . "$f"; exit 0`
        : `t=${quoteForShell(theirs)}; ${file} set -- ${word} "$t"; [ ! -r "$f" ] || command . "$f"; eval "$t"`,
    read(command) {
      const found = form.exec(command);
      return found && (found[1] === undefined ? {} : { theirs: unquoteFromShell(found[1]) });
    },
  };
}

/** Adds hooks and optional programs; with `onlyRenew`, a program only if it is already installed. */
export interface WantedSettings {
  command: BuildCommand;
  optional: (WantedCommand & { onlyRenew: boolean })[];
  /** Whether the agent may call Cairn's tools without asking each time. */
  allowsTools?: boolean;
}

/** The permission rule that allows all of Cairn's tools. */
export const ALLOW_TOOLS: WantedText = { list: ['permissions', 'allow'], text: `mcp__${SERVER_NAME}__*` };

export function installSettings(
  text: string | null,
  { command, optional, allowsTools = false }: WantedSettings,
): EditedSettings {
  const installed = optional.reduce(
    (before, command) => combineEdits(before, installCommandSetting(before.text, command, command)),
    installEntries(text, listWantedEntries(command), isOurCommand),
  );
  return allowsTools ? combineEdits(installed, installText(installed.text, ALLOW_TOOLS)) : installed;
}

export function removeSettings(text: string, optional: WantedCommand[], made?: AddedParts): EditedSettings {
  const removed = optional.reduce(
    (before, command) => combineEdits(before, removeCommandSetting(before.text, command, made)),
    removeEntries(text, isOurCommand, made),
  );
  return combineEdits(removed, removeText(removed.text, ALLOW_TOOLS, made));
}

function combineEdits(first: EditedSettings, second: EditedSettings): EditedSettings {
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

export function inspectSettings(
  text: string | null,
  command: BuildCommand,
): { event: string; state: EntryState }[] {
  return inspectEntries(text, listWantedEntries(command), isOurCommand);
}

export function settingsPath(where: AgentHome & { project?: string }): string {
  if (where.project !== undefined) return join(where.project, '.claude', 'settings.json');
  return join(configFolder(where), 'settings.json');
}

/** Next to the settings. Each file there is a command with the folder's name as prefix: `/cairn:handoff`. */
export function commandsFolder(settings: string): string {
  return join(dirname(settings), 'commands', 'cairn');
}

/** The name of Cairn's plugin in this file (`cairn@<marketplace>`), if it is enabled. */
export function findEnabledPlugin(text: string | null): string | undefined {
  const plugins = listProperties(findProperty(parseJsonText(text ?? ''), 'enabledPlugins'));
  return plugins.find(({ key, value }) => key.startsWith('cairn@') && value.value === true)?.key;
}

export function areHooksDisabled(text: string | null): boolean {
  return findProperty(parseJsonText(text ?? ''), 'disableAllHooks')?.value === true;
}

function listWantedEntries(command: BuildCommand): WantedEntry[] {
  return registeredEvents.map(({ event, matcher, timeoutSeconds }) => ({
    event,
    command: command(event),
    timeout: timeoutSeconds,
    ...(matcher !== undefined && { matcher }),
  }));
}

/** Forward slashes work on Windows in both cmd and Git Bash; a path there contains no quotes. */
function quotedForWindows(path: string): string {
  return `"${path.replaceAll('\\', '/')}"`;
}
