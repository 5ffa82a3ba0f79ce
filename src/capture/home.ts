import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, readIfThere, writeAtomically } from '../platform/files.ts';
import {
  findProgram,
  hookProgram,
  packageRoot,
  stableNode,
  workerProgram,
} from '../platform/installation.ts';
import { pathsOf } from '../platform/paths.ts';
import { quoteForShell, unquoteFromShell } from '../platform/shell.ts';
import { VERSION } from '../platform/version.ts';

/**
 * Makes Cairn's home ready to capture: its folders, and the shell program which hooks source.
 * @returns whether the program had to be written.
 */
export function prepareHome(home: string, searchPath = ''): boolean {
  const paths = pathsOf(home);
  for (const folder of [home, paths.spool, paths.state, paths.logs]) makePrivateFolder(folder);
  const script = captureScript(home, searchPath);
  if (readIfThere(paths.captureScript) === script) return false;
  writeAtomically(paths.captureScript, script);
  return true;
}

function captureScript(home: string, searchPath: string): string {
  const setsid = findProgram('setsid', `${searchPath}:/usr/bin:/bin`);
  const values: Record<string, string> = {
    VERSION,
    HOME: quoteForShell(home),
    NODE: quoteForShell(stableNode(searchPath)),
    HOOK: quoteForShell(hookProgram()),
    UID: String(process.getuid?.() ?? 'user'),
    WORKER: quoteForShell(workerProgram()),
    // Without setsid, node itself starts the worker in a session of its own.
    DETACH: setsid ? quoteForShell(setsid) : '',
    WAKE: setsid ? '' : 'wake',
  };
  return readFileSync(templateFile(), 'utf8').replace(/@([A-Z]+)@/g, (mark, name) => values[name] ?? mark);
}

function templateFile(): string {
  const built = join(packageRoot(), 'dist', 'capture.sh');
  return existsSync(built) ? built : join(packageRoot(), 'src', 'hooks', 'capture.sh');
}

/** What the shell program in this home was written with: the version and the programs it starts. */
export function writtenWith(home: string): { version: string; node: string; hook: string } | null {
  const script = readIfThere(pathsOf(home).captureScript);
  if (script === null) return null;
  const value = (name: string) => unquoteFromShell(new RegExp(`^${name}=(.*)$`, 'm').exec(script)?.[1] ?? '');
  return {
    version: /Written by Cairn (\S+?)\.?$/m.exec(script)?.[1] ?? 'unknown',
    node: value('cairn_node'),
    hook: value('cairn_hook'),
  };
}
