import type { AddedParts, EditedSettings } from './edited-settings.ts';
import { applyEdit, parseJsonText } from './json-text.ts';
import { findNotPlain, makePlain } from './plain-json.ts';
import {
  addMadeFolders,
  forgetRecord,
  hashOf,
  type InstallRecord,
  readRecord,
  recordPath,
  writeRecord,
} from './record.ts';
import {
  deleteSettings,
  describeProblem,
  type FileOperations,
  findMissingFolders,
  readSettings,
  refuseUnwritable,
  removeEmptyFolders,
  replaceSettings,
  SettingsError,
  type SettingsFile,
} from './settings-file.ts';

/** A settings file of an agent, and where Cairn records its changes to it. */
export interface SettingsPlace {
  agent: string;
  path: string;
  recordFolder: string;
}

/** A change, applied or (in a dry run) only computed. */
export interface SettingsChange {
  path: string;
  before: string | null;
  after: string | null;
  changed: boolean;
  /** Cairn's entries were there before. */
  wasThere: boolean;
}

export interface ApplyOptions {
  dryRun?: boolean;
  /** For a dry run before the real changes: throws if a file cannot be written. */
  willWrite?: boolean;
  /** How to handle comments and trailing commas: some clients ignore a file that has them. */
  comments?: 'keep' | 'refuse' | 'remove';
  files?: FileOperations;
}

export function installInFile(
  place: SettingsPlace,
  install: (text: string | null) => EditedSettings,
  { dryRun = false, willWrite = false, comments = 'keep', files }: ApplyOptions = {},
): SettingsChange {
  return retryWhileChanged(place.path, (file) => {
    const edited = edit(file, (text) => installInPlain(text, install, comments));
    const { text: after, changed, wasThere } = edited;
    const outcome = { path: file.path, before: file.text, after, changed, wasThere };
    if (changed && willWrite) refuseUnwritable(file);
    if (!changed || dryRun) return outcome;

    const memo = recordPath(place.recordFolder, place.agent, file.target);
    // Must come before reading the record: another installation records a folder before it makes it.
    const missing = findMissingFolders(file.target);
    const known = readRecord(memo);
    const old = wasThere ? known : undefined;
    const madeFolders = addMadeFolders(known?.madeFolders, missing);
    // Written before the file: a record without an installation is harmless, the reverse could not be undone.
    if (old || !wasThere) writeRecord(memo, { ...recordOf(file, edited, old), madeFolders });
    return replaceSettings(file, after, files) ? outcome : undefined;
  });
}

function installInPlain(
  text: string | null,
  install: (text: string | null) => EditedSettings,
  comments: 'keep' | 'refuse' | 'remove',
): EditedSettings {
  const extra = text === null || comments === 'keep' ? null : findNotPlain(text);
  if (text === null || extra === null) return install(text);
  // Other errors are reported first.
  parseJsonText(text);
  if (comments === 'refuse') throw extra;
  const plain = makePlain(text);
  const edited = install(plain.text);
  return { ...edited, changed: true, undo: [...edited.undo, ...plain.undo] };
}

export function uninstallFromFile(
  place: SettingsPlace,
  remove: (text: string, made?: AddedParts) => EditedSettings,
  { dryRun = false, willWrite = false, files }: ApplyOptions = {},
): SettingsChange {
  return retryWhileChanged(place.path, (file) => {
    const { path, text } = file;
    if (text === null) return { path, before: null, after: null, changed: false, wasThere: false };
    const memo = recordPath(place.recordFolder, place.agent, file.target);
    const record = readRecord(memo);
    const outcome = { path, before: text, ...withoutOurs(file, text, record, remove) };
    if (outcome.changed && willWrite) refuseUnwritable(file);
    if (dryRun) return outcome;

    if (outcome.changed && !put(file, outcome.after, files)) return undefined;
    if (outcome.after === null) removeEmptyFolders(record?.madeFolders ?? []);
    forgetRecord(memo);
    return outcome;
  });
}

function withoutOurs(
  file: SettingsFile,
  text: string,
  record: InstallRecord | undefined,
  remove: (text: string, made?: AddedParts) => EditedSettings,
): Pick<SettingsChange, 'after' | 'changed' | 'wasThere'> {
  if (record?.undo && record.left === hashOf(text)) {
    const after = record.madeFile ? null : record.undo.reduce(applyEdit, text);
    return { after, changed: true, wasThere: true };
  }
  const edited = edit(file, () => remove(text, record?.made));
  const isEmptyNow = edited.wasThere && /^\uFEFF?\s*(?:\{\s*\}\s*)?$/.test(edited.text);
  // Without a record, a file that became empty counts as made by Cairn.
  const isMade = record?.madeFile ?? edited.text === '';
  if (isEmptyNow && isMade) return { ...edited, after: null };
  if (isEmptyNow && record?.made.object) return { ...edited, after: '' };
  return { ...edited, after: edited.text };
}

function recordOf(
  file: SettingsFile,
  edited: EditedSettings,
  old: InstallRecord | undefined,
): Omit<InstallRecord, 'madeFolders'> {
  const isNextStep = old?.undo && file.text !== null && old.left === hashOf(file.text);
  const undo = isNextStep ? [...edited.undo, ...(old.undo ?? [])] : null;
  return {
    version: 2,
    file: file.path,
    left: hashOf(edited.text),
    undo: old ? undo : edited.undo,
    made: {
      object: old?.made.object ?? edited.made.object,
      containers: [...(old?.made.containers ?? []), ...edited.made.containers],
    },
    madeFile: old?.madeFile ?? file.text === null,
  };
}

function put(file: SettingsFile, after: string | null, files: FileOperations | undefined): boolean {
  return after === null ? deleteSettings(file, files) : replaceSettings(file, after, files);
}

function edit<T>(file: SettingsFile, work: (text: string | null) => T): T {
  try {
    return work(file.text);
  } catch (error) {
    throw describeProblem(file.path, error);
  }
}

/** Retries because agents and editors also write these files, and their changes must not be overwritten. */
function retryWhileChanged(
  path: string,
  attempt: (file: SettingsFile) => SettingsChange | undefined,
): SettingsChange {
  for (let tries = 0; tries < 10; tries += 1) {
    const outcome = attempt(readSettings(path));
    if (outcome) return outcome;
  }
  throw new SettingsError(`${path} keeps changing while Cairn writes it`, 'Run this again.');
}
