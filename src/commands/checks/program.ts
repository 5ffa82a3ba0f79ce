import { existsSync, rmSync } from 'node:fs';
import { prepareHome, readCaptureScript } from '../../capture/home.ts';
import { readIfThere } from '../../platform/files.ts';
import { isExecutable } from '../../platform/installation.ts';
import { VERSION } from '../../platform/version.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';

const INSTALL = 'Run: cairn install claude-code';

/** The programs that hooks run. Without them events are kept, but nothing is answered or stored. */
export function checkProgram(call: Call): Check[] {
  const written = readCaptureScript(call.home);
  if (!written) return [];
  const { version, node, hook } = written;
  if (!existsSync(hook)) return [bad('program', `${hook} is missing`, INSTALL)];
  if (!isExecutable(node)) return [checkFoundNode(call, node)];
  if (version !== VERSION)
    return [warn('program', `hooks were written by Cairn ${version}, this is ${VERSION}`, INSTALL)];
  return [ok('interpreter', node), ok('program', hook)];
}

/** Hooks search for another node when they need one. */
function checkFoundNode({ paths }: Call, node: string): Check {
  const found = readIfThere(paths.foundNode)?.trim();
  return found && isExecutable(found)
    ? warn('interpreter', `${node} is gone; hooks use ${found}`, 'Run: cairn doctor')
    : bad('interpreter', `${node} is missing`, 'Run: cairn doctor');
}

/** Records the current node if the recorded one is gone, and writes a missing launcher. */
export function repairProgram({ home, paths, env }: Call): Check[] {
  const written = readCaptureScript(home);
  if (!written || !existsSync(written.hook)) return [];
  const isNodeGone = !isExecutable(written.node);
  if (!isNodeGone && existsSync(paths.launcher)) return [];
  try {
    prepareHome(home, env.searchPath);
  } catch {
    return [];
  }
  // They were failures of the node that is gone.
  if (isNodeGone) rmSync(paths.nodeFailures, { force: true });
  const what = isNodeGone
    ? `${written.node} is gone; hooks use ${readCaptureScript(home)?.node}`
    : 'launcher written';
  return [ok('repaired', what)];
}
