import { commandsFolder } from '../../agents/claude-code/installer.ts';
import { counted } from '../../context/words.ts';
import type { Call } from '../command.ts';
import { haveChanged, placeCommands } from '../install-commands.ts';
import { type Check, ok, warn } from './check.ts';

/** The slash commands beside these settings: whether installing again would change them. */
export function checkSlashCommands(call: Call, settings: string): Check {
  const folder = commandsFolder(settings);
  const files = placeCommands(call, { commands: folder }, true);
  const old = files.filter((file) => haveChanged([file]));
  if (old.length > 0)
    return warn('slash commands', `${old.length} of ${files.length} are missing or old in ${folder}`, AGAIN);
  const kept = files.filter((file) => file.kept !== null);
  const others = kept.length > 0 ? `, ${kept.length} of them yours` : '';
  return ok('slash commands', `${counted(files.length, 'file')} in ${folder}${others}`);
}

const AGAIN = 'Run: cairn install claude-code';
