import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The package's root, wherever this file was bundled to. */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (isPackageRoot(folder)) return folder;
    if (folder === dirname(folder)) throw new Error('Cairn cannot find the folder it is installed in.');
  }
}

export function isPackageRoot(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name === 'cairn-memory';
  } catch {
    return false;
  }
}

export function hookProgram(root = packageRoot()): string {
  return join(root, 'dist', 'hook.cjs');
}

export function cliProgram(root = packageRoot()): string {
  return join(root, 'dist', 'cli.mjs');
}

export function workerProgram(root = packageRoot()): string {
  return join(root, 'dist', 'worker.cjs');
}

/** Each V8 thread keeps 3 MB of compiler memory; node would start four threads. */
export const WORKER_OPTIONS = ['--v8-pool-size=1'];

/** The running node by a path that survives an upgrade, if there is one (a link on the PATH). */
export function findStableNode(searchPath = '', running = process.execPath): string {
  for (const folder of searchPath.split(delimiter)) {
    const candidate = join(folder, 'node');
    if (folder.startsWith('/') && !isOfOneShell(folder) && pointsTo(candidate, running)) return candidate;
  }
  return running;
}

/** fnm creates such a folder for every shell and removes it afterwards. */
function isOfOneShell(folder: string): boolean {
  return folder.includes('/fnm_multishells/');
}

export function findProgram(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(delimiter)) {
    if (folder.startsWith('/') && isExecutable(join(folder, name))) return join(folder, name);
  }
  return null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pointsTo(link: string, target: string): boolean {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}
