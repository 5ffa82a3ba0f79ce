import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import { type Check, warn } from './check.ts';

/** A file of the person, or one that they have changed, is where a whole file of Cairn's would be. */
export function createForeignFileCheck({ id, name }: AgentInstaller, path: string): Check {
  return warn(
    name,
    `${path} was not written by Cairn, or was changed since`,
    `To use Cairn's, move it away and run: cairn install ${id}`,
  );
}
