import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import { type Check, warn } from './check.ts';

/** The person's own file, or one they have changed, is where Cairn would write a whole file. */
export function createForeignFileCheck({ id, name }: AgentInstaller, path: string): Check {
  return warn(
    name,
    `${path} was not written by Cairn, or was changed since`,
    `To use Cairn's, move it away and run: cairn install ${id}`,
  );
}
