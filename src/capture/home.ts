import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agents } from '../agents/all.ts';
import { quoteIfNeeded } from '../platform/cairn-command.ts';
import { makePrivateFolder, PRIVATE_FOLDER, readIfThere, writeAtomically } from '../platform/files.ts';
import {
  cliProgram,
  findProgram,
  findStableNode,
  hookProgram,
  isExecutable,
  packageRoot,
  WORKER_OPTIONS,
  workerProgram,
} from '../platform/installation.ts';
import { pathsOf } from '../platform/paths.ts';
import { quoteForShell, unquoteFromShell } from '../platform/shell.ts';
import { VERSION } from '../platform/version.ts';
import { routeHooks } from './route-hooks.ts';

export interface Programs {
  /** The package: a copy below the home, or a clone. */
  root: string;
  node: string;
}

/**
 * Makes Cairn's home ready to capture: its folders, the shell program that hooks source, and the launcher.
 * @returns whether a program had to be written.
 */
export function prepareHome(
  home: string,
  searchPath = '',
  programs: Programs = recordedPrograms(home, searchPath),
): boolean {
  const paths = pathsOf(home);
  for (const folder of [home, paths.spool, paths.state, paths.logs]) makePrivateFolder(folder);
  const values = templateValues(home, searchPath, programs);
  const script = fill(readTemplate(programs.root, 'capture.sh'), values);
  const launcher =
    process.platform === 'win32'
      ? `@"${programs.node}" "${cliProgram(programs.root)}" %*\r\n`
      : fill(readTemplate(programs.root, 'launcher.sh'), values);
  const isCurrent = readIfThere(paths.captureScript) === script && readIfThere(paths.launcher) === launcher;
  if (isCurrent) return false;
  writeAtomically(paths.launcher, launcher, PRIVATE_FOLDER);
  writeAtomically(paths.captureScript, script);
  rmSync(paths.foundNode, { force: true });
  return true;
}

/** The recorded programs if they still exist: only an installation switches hooks to another program. */
function recordedPrograms(home: string, searchPath: string): Programs {
  const written = readCaptureScript(home);
  return {
    root: findRecordedRoot(home) ?? packageRoot(),
    node: written && isExecutable(written.node) ? written.node : findStableNode(searchPath),
  };
}

/** The package that hooks run; null if it is missing or none is recorded. The launcher names it too. */
export function findRecordedRoot(home: string): string | null {
  const { captureScript, launcher } = pathsOf(home);
  const hook = (readScript(captureScript) ?? readScript(launcher))?.hook;
  return hook && existsSync(hook) ? dirname(dirname(hook)) : null;
}

function templateValues(home: string, searchPath: string, { root, node }: Programs): Record<string, string> {
  const setsid = findProgram('setsid', `${searchPath}:/usr/bin:/bin`);
  // Used inside a JSON string in the script.
  const command = JSON.stringify(quoteIfNeeded(pathsOf(home).launcher)).slice(1, -1);
  return {
    VERSION: root === packageRoot() ? VERSION : versionOf(root),
    HOME: quoteForShell(home),
    COMMAND: quoteForShell(command),
    NODE: quoteForShell(node),
    HOOK: quoteForShell(hookProgram(root)),
    UID: String(process.getuid?.() ?? 'user'),
    WORKER: quoteForShell(workerProgram(root)),
    OPTIONS: WORKER_OPTIONS.join(' '),
    // Without setsid, node starts the worker in a new process session.
    DETACH: setsid ? quoteForShell(setsid) : '',
    WAKE: setsid ? '' : 'wake',
    ...routeHooks(agents),
  };
}

function versionOf(root: string): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/@([A-Z]+)@/g, (mark, name) => values[name] ?? mark);
}

function readTemplate(root: string, name: string): string {
  const built = join(root, 'dist', name);
  return readFileSync(existsSync(built) ? built : join(root, 'src', 'hooks', name), 'utf8');
}

/** The values in this home's shell program: its version and the programs it starts. */
export function readCaptureScript(home: string): ScriptValues | null {
  return readScript(pathsOf(home).captureScript);
}

interface ScriptValues {
  version: string;
  node: string;
  hook: string;
}

function readScript(path: string): ScriptValues | null {
  const script = readIfThere(path);
  if (script === null) return null;
  const value = (name: string) => unquoteFromShell(new RegExp(`^${name}=(.*)$`, 'm').exec(script)?.[1] ?? '');
  return {
    version: /Written by Cairn (\S+?)\.?$/m.exec(script)?.[1] ?? 'unknown',
    node: value('cairn_node'),
    hook: value('cairn_hook'),
  };
}
