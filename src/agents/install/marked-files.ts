import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, isMissing, writeAtomically } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import type { ApplyOptions } from './apply.ts';
import { OWN_MARK, readMark, signText } from './own-mark.ts';
import {
  addMadeFolders,
  forgetRecord,
  type RecordOwner,
  readFolderRecord,
  recordPath,
  writeRecord,
} from './record.ts';
import {
  findCure,
  findMissingFolders,
  refuseUnwritable,
  removeEmptyFolders,
  SettingsError,
} from './settings-file.ts';

/** Cairn's files in a folder of the agent, each a command in Markdown with front matter, or in TOML. */
export interface OwnFile {
  /** May contain a folder: `handoff/SKILL.md`. */
  name: string;
  text: string;
}

/** A change of one file, applied or (in a dry run) only computed. */
export interface FileOutcome {
  path: string;
  before: string | null;
  after: string | null;
  /** Why the file was left unchanged. */
  kept: 'edited' | 'foreign' | null;
}

type FileOptions = Pick<ApplyOptions, 'dryRun' | 'willWrite'>;

/** The changes that installing would make in the folder. */
export function planFiles(folder: string, wanted: OwnFile[]): FileOutcome[] {
  const outcomes = wanted.map(({ name, text }) => outcomeOf(join(folder, name), marked(text)));
  // Files of a version that had more.
  const left = ownFilesIn(folder).filter(({ path }) => !outcomes.some((outcome) => outcome.path === path));
  return [...outcomes, ...left];
}

export function installFiles(
  owner: RecordOwner,
  folder: string,
  wanted: OwnFile[],
  options: FileOptions = {},
): FileOutcome[] {
  const outcomes = planFiles(folder, wanted);
  if (!options.dryRun && outcomes.some(({ before, after }) => before !== after))
    recordMadeFolders(owner, folder);
  return applyChanges(outcomes, options);
}

/** Removes Cairn's unchanged files, then the folders that were created for them, if they are empty. */
export function removeFiles(owner: RecordOwner, folder: string, options: FileOptions = {}): FileOutcome[] {
  const removed = applyChanges(ownFilesIn(folder), options);
  if (options.dryRun) return removed;
  for (const { path } of removed) if (dirname(path) !== folder) removeEmptyFolders([dirname(path)]);
  const memo = recordPath(owner.recordFolder, owner.agent, folder);
  // Without a record, only the name shows that the folder belongs to Cairn.
  const unrecorded = basename(folder).startsWith('cairn') ? [folder] : [];
  removeEmptyFolders(readFolderRecord(memo)?.madeFolders ?? unrecorded);
  forgetRecord(memo);
  return removed;
}

/** To be called before the first file is written. If there are files of Cairn but no record, another home made them. */
function recordMadeFolders({ agent, recordFolder }: RecordOwner, folder: string): void {
  const memo = recordPath(recordFolder, agent, folder);
  // Must come before reading the record: another installation records a folder before it makes it.
  const missing = findMissingFolders(join(folder, 'file'));
  const known = readFolderRecord(memo)?.madeFolders;
  if (!known && ownFilesIn(folder).length > 0) return;
  writeRecord(memo, { version: 2, folder, madeFolders: addMadeFolders(known, missing) });
}

function ownFilesIn(folder: string): FileOutcome[] {
  return filesIn(folder)
    .map((name) => outcomeOf(join(folder, name), null))
    .filter(({ kept }) => kept !== 'foreign');
}

function outcomeOf(path: string, wanted: string | null): FileOutcome {
  return withFileErrors(path, 'read', () => {
    // A link belongs to the person, whatever its target: writing would replace it, and it could not be restored.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      return { path, before: null, after: null, kept: 'foreign' };
    const before = readRegularIfThere(path, CONFIG_LIMIT)?.toString('utf8') ?? null;
    const state = before === null ? 'ours' : readMark(before);
    const kept = state === 'ours' ? null : state;
    return { path, before, after: kept === null ? wanted : before, kept };
  });
}

function applyChanges(outcomes: FileOutcome[], { dryRun, willWrite }: FileOptions): FileOutcome[] {
  for (const { path, before, after } of outcomes) {
    if (before === after) continue;
    if (willWrite) refuseUnwritable({ path, target: path, text: before });
    if (dryRun) continue;
    withFileErrors(path, after === null ? 'removed' : 'written', () =>
      after === null ? rmSync(path, { force: true }) : writeAtomically(path, after, 0o644),
    );
  }
  return outcomes;
}

/** Adds the mark as a comment, in the front matter if there is one. */
function marked(text: string): string {
  return signText(text.replace(/^(---\n)?/, `$1# ${OWN_MARK}\n`));
}

function filesIn(folder: string): string[] {
  return withFileErrors(folder, 'read', () => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(md|toml)$/.test(name))
        .sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
}

function withFileErrors<T>(path: string, action: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { reason, fix } = findCure(error) ?? {
      reason: errorCode(error) ?? 'it is not a text file',
      fix: 'Move or remove it.',
    };
    throw new SettingsError(`${path} cannot be ${action}: ${reason}`, fix, '');
  }
}
