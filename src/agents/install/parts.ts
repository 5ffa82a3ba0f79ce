import type { InstallPart } from './agent-installer.ts';
import { type ApplyOptions, installInFile, type SettingsChange, uninstallFromFile } from './apply.ts';
import { type AddedParts, combineEdits, type EditedSettings, unchanged } from './edited-settings.ts';
import type { RecordOwner } from './record.ts';

/** Installs the parts with one change per file, in the order of the parts. */
export function installParts(
  parts: InstallPart[],
  owner: RecordOwner,
  options: ApplyOptions = {},
): SettingsChange[] {
  return byFile(parts).map(({ path, those }) => {
    const wanted = those.filter(({ isWanted }) => isWanted);
    if (wanted.length === 0) return removeFromFile(path, those, owner, options);
    const comments = those.some(({ isPlainJson }) => isPlainJson) ? (options.comments ?? 'refuse') : 'keep';
    return installInFile({ ...owner, path }, (text) => addParts(those, text), {
      ...options,
      comments,
    });
  });
}

/** Removes in reverse order of installing: a folder that was created for several files is removed with the last. */
export function removeParts(
  parts: InstallPart[],
  owner: RecordOwner,
  options: ApplyOptions = {},
): SettingsChange[] {
  return byFile(parts)
    .toReversed()
    .map(({ path, those }) => removeFromFile(path, those, owner, options))
    .toReversed();
}

function removeFromFile(
  path: string,
  parts: InstallPart[],
  owner: RecordOwner,
  options: ApplyOptions,
): SettingsChange {
  return uninstallFromFile({ ...owner, path }, (text, made) => dropParts(parts, text, made), options);
}

/** Adds the parts of one file to its text. */
export function addParts(parts: InstallPart[], text: string | null): EditedSettings {
  return parts.reduce(applyPart, unchanged(text));
}

export function dropParts(parts: InstallPart[], text: string, made?: AddedParts): EditedSettings {
  const drop = (before: EditedSettings, part: InstallPart) =>
    combineEdits(before, part.remove(before.text, made));
  return parts.reduce(drop, unchanged(text));
}

function byFile(parts: InstallPart[]): { path: string; those: InstallPart[] }[] {
  const paths = [...new Set(parts.map(({ path }) => path))];
  return paths.map((path) => ({ path, those: parts.filter((part) => part.path === path) }));
}

function applyPart(before: EditedSettings, part: InstallPart): EditedSettings {
  if (part.isWanted) return combineEdits(before, part.install(before.text));
  return before.text === '' ? before : combineEdits(before, part.remove(before.text));
}
