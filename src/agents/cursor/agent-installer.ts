import { join } from 'node:path';
import { quoteForShell } from '../../platform/shell.ts';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { createFlatHooksPart } from '../install/flat-hooks-part.ts';
import { quoteForWindows } from '../install/hook-command.ts';
import { InvalidJsonError, parseJsonText } from '../install/json-text.ts';
import { findNotPlain } from '../install/plain-json.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { cursor } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

export const installer: AgentInstaller = {
  id: cursor.id,
  name: cursor.name,
  program: 'cursor-agent',
  configFolder,
  verifiedWith: null,
  // Hooks in the project would run in addition to the person's, and each event would be reported twice.
  listParts: (place) => (place.project ? [] : [listHooks(place), listServer(place)]),
  listCommands: (place) => ({
    folder: join(configFolder(place), 'commands'),
    files: readMarkdownCommands(place, { fillsArguments: false }),
  }),
};

function listHooks(place: InstallPlace): InstallPart {
  const part = createFlatHooksPart({
    path: join(configFolder(place), 'hooks.json'),
    entries: registeredEvents.map(({ event, timeout }) => ({ event, fields: { timeout } })),
    command: buildCommand(place),
    isOurs: isHookCommand,
    version: 1,
  });
  return {
    ...part,
    install(text) {
      refuseUnreadable(text ?? '');
      return part.install(text);
    },
    inspect(text) {
      refuseUnreadable(text ?? '');
      return part.inspect(text);
    },
  };
}

/**
 * A single program with its arguments: the client appends the payload as a here-document, which only the last of
 * several programs would get. It must not contain `//`, which the client treats as the start of a comment.
 */
function buildCommand({ platform, launcher, interpreter, hookProgram }: InstallPlace) {
  const program =
    platform === 'win32'
      ? `& ${quoteForWindows(interpreter)} ${quoteForWindows(hookProgram)}`
      : `${quoteForShell(launcher.replace(/\/{2,}/g, '/'))} hook`;
  return (event: string) => `${program} ${cursor.id} ${event} settings`;
}

function isHookCommand(command: string): boolean {
  return /(?:bin[\\/]cairn'? hook|hook\.cjs") cursor \w+/.test(command);
}

/** Parses the file like the client, which ignores the whole file with all its hooks after an error. */
function refuseUnreadable(text: string): void {
  if (parseJsonText(text) === undefined) return;
  // Keeps the length, so positions are the same as in the file.
  const asRead = text.replace(/^\uFEFF/, ' ').replace(/\/\/.*$/gm, (cut) => ' '.repeat(cut.length));
  try {
    JSON.parse(asRead);
  } catch {
    const { offset, reason } = findUnreadable(text, asRead);
    throw new InvalidJsonError(text, offset, `${reason}: Cursor runs no hook of this file`);
  }
}

function findUnreadable(text: string, asRead: string): { offset: number; reason: string } {
  const cut = findStringWithSlashes(text);
  if (cut !== undefined)
    return {
      offset: cut,
      reason: '"//" is not allowed, not even inside a string, where it begins a comment too',
    };
  const extra = findNotPlain(asRead);
  return { offset: extra?.offset ?? 0, reason: extra?.message ?? 'this is not plain JSON' };
}

/** The position of two slashes in a string, as in a URL. */
function findStringWithSlashes(text: string): number | undefined {
  const tokens = /"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g;
  const found = [...text.matchAll(tokens)].find(([token]) => token.startsWith('"') && token.includes('//'));
  return found && found.index + found[0].indexOf('//');
}

function listServer(place: InstallPlace): InstallPart {
  const path = join(configFolder(place), 'mcp.json');
  return createServerPart({ path, within: ['mcpServers'], ...commandAndArgs({ type: 'stdio' }) }, place);
}
