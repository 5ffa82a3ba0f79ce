import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import { isObject, parseJson } from '../../model/json.ts';
import { findProgram } from '../../platform/installation.ts';
import type { Call } from '../support/command.ts';
import { type Check, ok, warn } from './check.ts';

const LONGEST_ANSWER_MS = 3_000;

/** Compares the version of the installed client with the one that Cairn was tested with. */
export function checkVersion({ env }: Call, installer: AgentInstaller, project: string): Check[] {
  const { name, verifiedWith } = installer;
  const installed = findClientVersion(installer.program, env, project);
  if (installed === null) return [];
  if (verifiedWith !== null && isNewer(installed, verifiedWith))
    return [
      warn(
        name,
        `version ${installed} is installed; Cairn was tested with ${verifiedWith}`,
        'Nothing to do while its hooks run and its MCP server answers, as shown here. Otherwise look for a newer Cairn.',
      ),
    ];
  const never = verifiedWith === null ? `; Cairn has not been tested with ${name}` : '';
  return [ok(name, `version ${installed}${never}`)];
}

/** From the program's package, or from its output. Null if unknown. */
export function findClientVersion(
  program: string,
  { searchPath, userHome }: { searchPath: string; userHome: string },
  project: string,
): string | null {
  const client = findClient(program, searchPath, project);
  return client && (readPackageVersion(client.real) ?? askVersion(client, userHome));
}

export interface FoundClient {
  path: string;
  /** The path with all links resolved. */
  real: string;
  /** The search path without folders of the project. */
  searchPath: string;
}

/** A program inside the project is not run: the project's files must not decide what doctor runs. */
export function findClient(program: string, searchPath: string, project: string): FoundClient | null {
  const isOutside = (folder: string) => folder !== project && !folder.startsWith(project + sep);
  const folders = searchPath.split(delimiter).filter(isOutside).join(delimiter);
  const path = findProgram(program, folders);
  const real = path && realpathIfThere(path);
  return path && real && isOutside(real) ? { path, real, searchPath: folders } : null;
}

/** Compares the dotted numbers; a suffix does not count. */
export function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, number] of (numbers ?? []).entries()) {
    const other = others?.[index] ?? 0;
    if (number !== other) return number > other;
  }
  return false;
}

function readPackageVersion(program: string): string | null {
  if (!program.includes(`${sep}node_modules${sep}`)) return null;
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'));
    const version = isObject(manifest) && manifest.name !== undefined ? manifest.version : undefined;
    if (typeof version === 'string') return numbersIn(version);
  }
  return null;
}

function readManifest(path: string) {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs outside any project, without our own environment variables. */
function askVersion({ path, searchPath }: FoundClient, userHome: string): string | null {
  const { stdout } = spawnSync(path, ['--version'], {
    cwd: sep,
    encoding: 'utf8',
    env: { PATH: searchPath, HOME: userHome },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LONGEST_ANSWER_MS,
    killSignal: 'SIGKILL',
  });
  return numbersIn(stdout ?? '');
}

function numbersIn(text: string): string | null {
  return /\d+(?:\.\d+)+/.exec(text.slice(0, 1_000))?.[0] ?? null;
}

function realpathIfThere(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
