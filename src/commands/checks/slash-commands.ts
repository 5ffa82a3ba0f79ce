import type { AgentInstaller, InstallPlace } from '../../agents/install/agent-installer.ts';
import { planFiles } from '../../agents/install/marked-files.ts';
import { formatCount } from '../../context/words.ts';
import { hasChangedFiles } from '../support/install-plan.ts';
import { type Check, ok, warn } from './check.ts';

/** Checks whether another installation would change the agent's slash commands. */
export function checkSlashCommands({ id, listCommands }: AgentInstaller, place: InstallPlace): Check {
  const { folder, files: wanted } = listCommands?.(place) ?? { folder: '', files: [] };
  const files = planFiles(folder, wanted);
  const old = files.filter((file) => hasChangedFiles([file]));
  if (old.length > 0)
    return warn(
      'slash commands',
      `${old.length} of ${files.length} are missing or old in ${folder}`,
      `Run: cairn install ${id}`,
    );
  const kept = files.filter((file) => file.kept !== null);
  const others = kept.length > 0 ? `, ${kept.length} of them yours` : '';
  return ok('slash commands', `${formatCount(files.length, 'file')} in ${folder}${others}`);
}
