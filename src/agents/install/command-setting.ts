import type { Node } from 'jsonc-parser';
import type { AddedParts, EditedSettings, EntryState } from './edited-settings.ts';
import {
  addWholeValue,
  appendItem,
  findProperty,
  listProperties,
  removeChild,
  replaceValue,
} from './json-text.ts';
import { openDraft } from './settings-draft.ts';

/**
 * A setting of the form `"<key>": { "type": "command", "command": … }`, which exists only once. Cairn's command runs an
 * existing one. Text in, text out, like `hook-entries.ts`.
 */
export interface WantedCommand {
  key: string;
  /** Cairn's command, which also runs the existing one; null if that is not possible. */
  command(theirs?: string): string | null;
  /** Recognises Cairn's command of any version, and the existing command that it runs. */
  read(command: string): { theirs?: string } | null;
}

/** `shared`: Cairn's command runs the previous one. `foreign`: its form is not supported. */
export type CommandState = Exclude<EntryState, 'doubled'> | 'shared' | 'foreign';

/** Adds Cairn's command; with `onlyRenew`, only updates an existing one. */
export function installCommandSetting(
  before: string | null,
  wanted: WantedCommand,
  { onlyRenew = false }: { onlyRenew?: boolean } = {},
): EditedSettings {
  const draft = openDraft(before ?? '');
  const made: AddedParts = { object: draft.root() === undefined, containers: [] };
  const found = find(draft.root(), wanted);
  const wasThere = found?.ours !== undefined;
  if (!wasThere && onlyRenew) return { ...draft.result(), made: { object: false, containers: [] }, wasThere };
  if (found?.command) {
    const theirs = found.ours ? found.ours.theirs : String(found.command.value);
    const command = wanted.command(theirs);
    if (command !== null && command !== found.command.value)
      draft.apply([replaceValue(draft.text(), found.command, command)]);
  } else if (!found) {
    if (made.object) draft.apply([addWholeValue(draft.text(), {})]);
    const root = draft.root();
    const value = { type: 'command', command: wanted.command() };
    if (root) draft.apply(appendItem(draft.text(), root, value, wanted.key));
  }
  return { ...draft.result(), made, wasThere };
}

/** Restores the user's command. */
export function removeCommandSetting(
  before: string,
  wanted: WantedCommand,
  made?: AddedParts,
): EditedSettings {
  const draft = openDraft(before);
  const root = draft.root();
  const found = find(root, wanted);
  if (root && found?.ours) {
    const { theirs } = found.ours;
    draft.apply(
      theirs === undefined || !found.command
        ? removeChild(draft.text(), root, found.index)
        : [replaceValue(draft.text(), found.command, theirs)],
    );
  }
  const wasThere = found?.ours !== undefined;
  return { ...draft.result(), made: made ?? { object: false, containers: [] }, wasThere };
}

export function inspectCommandSetting(text: string | null, wanted: WantedCommand): CommandState {
  const found = find(openDraft(text ?? '').root(), wanted);
  if (!found) return 'missing';
  if (!found.ours) return 'foreign';
  const { theirs } = found.ours;
  if (found.command?.value !== wanted.command(theirs)) return 'outdated';
  return theirs === undefined ? 'installed' : 'shared';
}

interface Found {
  index: number;
  command: Node | undefined;
  ours: { theirs?: string } | undefined;
}

function find(root: Node | undefined, { key, read }: WantedCommand): Found | undefined {
  const entry = listProperties(root).findLast((property) => property.key === key);
  if (!entry) return undefined;
  const known = findProperty(entry.value, 'command');
  const isCommand = findProperty(entry.value, 'type')?.value === 'command' && known?.type === 'string';
  const command = isCommand ? known : undefined;
  return { index: entry.index, command, ours: (command && read(String(command.value))) ?? undefined };
}
