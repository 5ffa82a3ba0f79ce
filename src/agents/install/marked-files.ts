import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, isMissing, writeAtomically } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import type { ApplyOptions } from './apply.ts';
import { OWN_MARK, readMark, signText } from './own-mark.ts';
import { findCure, refuseUnwritable, SettingsError } from './settings-file.ts';

/** Our files in a folder of the agent, each a command in Markdown with front matter, or in TOML. */
export interface OwnFile {
  /** May be in a folder of its own: `handoff/SKILL.md`. */
  name: string;
  text: string;
}

/** A change of one file, applied or (in a dry run) only computed. */
export interface FileOutcome {
  path: string;
  before: string | null;
  after: string | null;
  /** Why it was left unchanged. */
  kept: 'edited' | 'foreign' | null;
}

type FileOptions = Pick<ApplyOptions, 'dryRun' | 'willWrite'>;

export function installFiles(folder: string, wanted: OwnFile[], options: FileOptions = {}): FileOutcome[] {
  const outcomes = wanted.map(({ name, text }) => outcomeOf(join(folder, name), marked(text)));
  // From a version that had more files.
  const left = ownFilesIn(folder).filter(({ path }) => !outcomes.some((outcome) => outcome.path === path));
  return applyChanges([...outcomes, ...left], options);
}

/** Removes all unchanged files of ours, and folders that are empty then. */
export function removeFiles(folder: string, options: FileOptions = {}): FileOutcome[] {
  const removed = applyChanges(ownFilesIn(folder), options);
  if (!options.dryRun && removed.some(({ after }) => after === null)) {
    for (const { path } of removed) if (dirname(path) !== folder) removeIfEmpty(dirname(path));
    removeIfEmpty(folder);
    removeIfEmpty(dirname(folder));
  }
  return removed;
}

function ownFilesIn(folder: string): FileOutcome[] {
  return filesIn(folder)
    .map((name) => outcomeOf(join(folder, name), null))
    .filter(({ kept }) => kept !== 'foreign');
}

function outcomeOf(path: string, wanted: string | null): FileOutcome {
  const before = withFileErrors(
    path,
    'read',
    () => readRegularIfThere(path, CONFIG_LIMIT)?.toString('utf8') ?? null,
  );
  const state = before === null ? 'ours' : readMark(before);
  const kept = state === 'ours' ? null : state;
  return { path, before, after: kept === null ? wanted : before, kept };
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

/** As a comment, in the front matter if there is one. */
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

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

function withFileErrors<T>(path: string, action: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { reason, fix } = findCure(error) ?? {
      reason: errorCode(error) ?? 'it is not a text file',
      fix: 'Move or remove it.',
    };
    throw new SettingsError(`${path} cannot be ${action}: ${reason}. ${fix}`);
  }
}
