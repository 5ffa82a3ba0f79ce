import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { findRecordedRoot, prepareHome } from '../../capture/home.ts';
import { type AppCopy, planCopy, removeOldCopies } from '../../platform/app-copy.ts';
import { isMissing, writeAtomically } from '../../platform/files.ts';
import { findStableNode, packageRoot } from '../../platform/installation.ts';
import { findRunningWorker, requestStop } from '../../worker/worker-note.ts';
import type { Call } from './command.ts';

/** The program that hooks run: a copy in Cairn's home, or with `--link` the current folder. */

export function planProgram({ paths, options }: Call): AppCopy {
  const root = packageRoot();
  if (options.link) return { root, isMissing: false, make: () => {} };
  return planCopy(paths.app, root);
}

/** @returns whether the program that hooks run has changed. */
export function placeProgram({ home, paths, env }: Call, program: AppCopy): boolean {
  const before = findRecordedRoot(home);
  program.make();
  rmSync(paths.uninstalled, { force: true });
  const { root } = program;
  const isChanged = prepareHome(home, env.searchPath, { root, node: findStableNode(env.searchPath) });
  if (root === before) return isChanged;
  // A running worker would use the old program until it is idle.
  if (findRunningWorker(paths)) requestStop(paths);
  // An agent's MCP server may still load files of the previous copy.
  if (dirname(root) === paths.app) removeOldCopies(paths.app, [root, ...(before ? [before] : [])]);
  return true;
}

/** Removes the program from the home if no agent is connected. @returns whether it was removed. */
export function removeProgram({ paths }: Call): boolean {
  if (hasInstallations(paths.installed)) return false;
  if (findRunningWorker(paths)) requestStop(paths);
  const programs = [paths.captureScript, paths.app, dirname(paths.launcher), paths.installed, paths.code];
  for (const path of [...programs, paths.foundNode, paths.nodeFailures])
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  // Lets `cairn status` tell this home from one that was never connected and only has imported memories.
  if (existsSync(paths.state)) writeAtomically(paths.uninstalled, '');
  return true;
}

function hasInstallations(records: string): boolean {
  try {
    return readdirSync(records).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
