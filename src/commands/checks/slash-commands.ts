import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import { formatCount } from '../../context/words.ts';
import type { Call } from '../support/command.ts';
import { hasChangedFiles, placeCommands } from '../support/install-commands.ts';
import { type Check, ok, warn } from './check.ts';

/** The slash commands next to these settings: whether installing again would change them. */
export function checkSlashCommands(call: Call, installer: AgentInstaller, settings: string): Check {
  const folder = installer.commandsFolder(settings);
  const files = placeCommands(call, { commands: folder, installer }, true);
  const old = files.filter((file) => hasChangedFiles([file]));
  if (old.length > 0)
    return warn(
      'slash commands',
      `${old.length} of ${files.length} are missing or old in ${folder}`,
      `Run: cairn install ${installer.id}`,
    );
  const kept = files.filter((file) => file.kept !== null);
  const others = kept.length > 0 ? `, ${kept.length} of them yours` : '';
  return ok('slash commands', `${formatCount(files.length, 'file')} in ${folder}${others}`);
}
