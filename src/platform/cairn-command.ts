import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { readIfThere } from './files.ts';
import { cliProgram, findProgram, isPackageRoot } from './installation.ts';
import { quoteForShell, unquoteFromShell } from './shell.ts';

/** How a person runs this program: `cairn` if it is on the PATH, else a path. */
export function cairnCommand(): string {
  known ??= find();
  return known;
}

let find = (): string => 'cairn';
let known: string | undefined;

export interface CommandLookup {
  searchPath: string;
  userHome: string;
  launcher: string;
}

/** Called by the entry of each program. The command is looked up when a message needs it. */
export function configureCairnCommand(where: CommandLookup): void {
  find = () => findCairnCommand(where);
  known = undefined;
}

export function findCairnCommand({ searchPath, userHome, launcher }: CommandLookup): string {
  // npx and `npm run` add folders to the PATH that a person's shell does not have.
  const folders = searchPath
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  const first = findProgram(process.platform === 'win32' ? 'cairn.cmd' : 'cairn', folders.join(delimiter));
  if (first && (first === launcher || isCairn(first))) return 'cairn';
  if (isUsable(launcher)) return shorten(launcher, userHome);
  // npx may delete its cached copy at any time, and a program that was just uninstalled no longer exists.
  const isLasting = existsSync(import.meta.filename) && !import.meta.filename.includes(`${sep}_npx${sep}`);
  return isLasting ? `node ${shorten(cliProgram(), userHome)}` : 'npx cairn-memory';
}

/** A launcher whose program no longer exists cannot run anything. */
function isUsable(launcher: string): boolean {
  const text = readIfThere(launcher);
  const program = text && /^cairn_hook=(.*)$/m.exec(text)?.[1];
  return text !== null && (!program || existsSync(unquoteFromShell(program)));
}

/** npm creates a link to the program; on Windows, a script next to the packages. */
function isCairn(program: string): boolean {
  if (process.platform === 'win32')
    return isPackageRoot(join(dirname(program), 'node_modules', 'cairn-memory'));
  try {
    const real = realpathSync(program);
    return isPackageRoot(dirname(dirname(real)));
  } catch {
    return false;
  }
}

function shorten(path: string, userHome: string): string {
  const below = path.startsWith(userHome + sep) ? path.slice(userHome.length) : '';
  return isPlain(below) && process.platform !== 'win32' ? `~${below}` : quoteIfNeeded(path);
}

export function quoteIfNeeded(path: string): string {
  if (isPlain(path)) return path;
  return process.platform === 'win32' ? `"${path}"` : quoteForShell(path);
}

function isPlain(path: string): boolean {
  return /^[\w@%+=:,./\\-]+$/.test(path);
}

/** Replaces `cairn <command>` in a message by the command that works here. `import cairn <file>` names a source. */
export function withCairnCommand(message: string): string {
  return message.replace(/(?<![\w./-]|import )cairn(?= [a-z<])/g, () => cairnCommand());
}
