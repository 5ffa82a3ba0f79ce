import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { realPath } from '../files.ts';

/**
 * The only inherited variables that git gets: those that locate the person's own configuration, and those that
 * Windows needs to start a process. No GIT_* variable is passed on: any of them may redirect git or name a program.
 */
const PASSED_ON = [
  ...['HOME', 'XDG_CONFIG_HOME', 'TMPDIR'],
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles'],
  ...['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP'],
];

const FIXED = {
  LANG: 'C',
  LC_ALL: 'C',
  // A concurrent commit must not find the index locked by this process.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // An empty list of protocols. Unlike protocol.allow, no configuration overrides it.
  GIT_ALLOW_PROTOCOL: 'none',
};

export interface GitProgram {
  path: string;
  env: Record<string, string>;
}

/** The git program to use for the work tree `top`, with its environment; null if git is not installed. */
export function findGitProgram(top: string | undefined): GitProgram | null {
  const folders = trustedFolders(process.env.PATH ?? '', top);
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const path = folders.map((folder) => join(folder, name)).find(isProgram);
  if (path === undefined) return null;
  const variables = PASSED_ON.flatMap((variable) => {
    const value = process.env[variable];
    return value && mayPass(variable, value) ? [[variable, value] as const] : [];
  });
  return { path, env: { ...Object.fromEntries(variables), PATH: folders.join(delimiter), ...FIXED } };
}

/** Git runs in the work tree: a relative home would be a folder of the repository, which could hold a configuration. */
function mayPass(variable: string, value: string): boolean {
  return !['HOME', 'XDG_CONFIG_HOME', 'TMPDIR'].includes(variable) || isAbsolute(value);
}

/** A relative folder (`.`, `bin`) is in the project, like a folder below `top`: a repository could provide it. */
function trustedFolders(searchPath: string, top: string | undefined): string[] {
  const isInside = (folder: string) =>
    top !== undefined &&
    [folder, realPath(folder)].some((path) => `${path}${sep}`.startsWith(`${top}${sep}`));
  return searchPath.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(folder));
}

function isProgram(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The person's and the machine's configuration of git; the later file wins. */
export function configFilesOfPerson(): string[] {
  const home = process.env.HOME || process.env.USERPROFILE;
  const xdg = process.env.XDG_CONFIG_HOME || (home && join(home, '.config'));
  return [
    '/etc/gitconfig',
    ...(xdg ? [join(xdg, 'git', 'config')] : []),
    ...(home ? [join(home, '.gitconfig')] : []),
  ].filter((path) => isAbsolute(path));
}

export function homeOfPerson(): string | undefined {
  return process.env.HOME || process.env.USERPROFILE;
}

/** The person behind `sudo`, whose folders root may use; git reads the same variable. */
export function sudoUid(): number | undefined {
  const uid = process.env.SUDO_UID ?? '';
  return /^\d{1,10}$/.test(uid) ? Number(uid) : undefined;
}

/** Not from node:os, which a hook would have to load. */
export function temporaryFolder(): string {
  const isWindows = process.platform === 'win32';
  const named = isWindows ? process.env.TEMP || process.env.TMP : process.env.TMPDIR;
  return named && isAbsolute(named) ? named : isWindows ? 'C:\\Windows\\Temp' : '/tmp';
}
