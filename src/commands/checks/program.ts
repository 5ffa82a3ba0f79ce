import { existsSync, rmSync } from 'node:fs';
import { listRecordedFiles } from '../../agents/install/record.ts';
import { findRecordedRoot, prepareHome, readCaptureScript } from '../../capture/home.ts';
import { readIfThere } from '../../platform/files.ts';
import { isExecutable } from '../../platform/installation.ts';
import type { Paths } from '../../platform/paths.ts';
import { VERSION } from '../../platform/version.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';

/** The programs that hooks run. Without them events are kept, but not stored, and hooks return no answers. */
export function checkProgram(call: Call): Check[] {
  const written = readCaptureScript(call.home);
  if (!written) {
    const fix = findRecordedRoot(call.home) ? 'Run: cairn doctor' : `Run: ${installAgain(call.paths)}`;
    return isInstalled(call) ? [bad('program', `${call.paths.captureScript} is missing`, fix)] : [];
  }
  const { version, node, hook } = written;
  if (!existsSync(hook)) return [bad('program', `${hook} is missing`, `Run: ${installAgain(call.paths)}`)];
  if (!isExecutable(node)) return [checkFoundNode(call, node)];
  if (version !== VERSION)
    return [
      warn(
        'program',
        `hooks were written by Cairn ${version}, this is ${VERSION}`,
        `Run: ${installAgain(call.paths)}`,
      ),
    ];
  return [ok('interpreter', node), ok('program', hook)];
}

/** Hooks search for another node if the recorded one does not work. */
function checkFoundNode({ paths }: Call, node: string): Check {
  const found = readIfThere(paths.foundNode)?.trim();
  return found && isExecutable(found)
    ? warn('interpreter', `${node} is gone; hooks use ${found}`, 'Run: cairn doctor')
    : bad('interpreter', `${node} is missing`, 'Run: cairn doctor');
}

/** The command that writes the program again for all connected agents. */
export function installAgain({ installed }: Paths): string {
  const connected = [...new Set(listRecordedFiles(installed).map(({ agent }) => agent))].sort();
  return ['cairn install', ...connected].join(' ');
}

/** Whether an agent's settings have hooks that call the script in this home. */
function isInstalled({ paths }: Call): boolean {
  return listRecordedFiles(paths.installed).length > 0;
}

/** Records the node that runs this command if the recorded one is gone, and writes missing scripts. */
export function repairProgram(call: Call): Check[] {
  const { home, paths, env } = call;
  const written = readCaptureScript(home);
  if (findRecordedRoot(home) === null || (!written && !isInstalled(call))) return [];
  const isNodeGone = written !== null && !isExecutable(written.node);
  const missing = [paths.captureScript, paths.launcher].filter((path) => !existsSync(path));
  if (!isNodeGone && missing.length === 0) return [];
  try {
    prepareHome(home, env.searchPath);
  } catch {
    return [];
  }
  // The counted failures are those of the node that is gone.
  if (isNodeGone) rmSync(paths.nodeFailures, { force: true });
  const what = isNodeGone
    ? `${written.node} is gone; hooks use ${readCaptureScript(home)?.node}`
    : `${missing.join(' and ')} written again`;
  return [ok('repaired', what)];
}
