import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, isMissing, writeAtomically } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import { SettingsError } from './settings-file.ts';

/**
 * Our Markdown files in a folder of the agent. A comment at the top of each identifies it as ours and has a digest: a
 * file that a person has changed is theirs.
 */
export interface OwnFile {
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

export function installFiles(folder: string, wanted: OwnFile[], { dryRun = false } = {}): FileOutcome[] {
  const outcomes = wanted.map(({ name, text }) => outcomeOf(join(folder, name), marked(text)));
  // From a version that had more files.
  const left = ownFilesIn(folder).filter(({ path }) => !outcomes.some((outcome) => outcome.path === path));
  return applyChanges([...outcomes, ...left], dryRun);
}

/** Removes all unchanged files of ours, and folders that are empty then. */
export function removeFiles(folder: string, { dryRun = false } = {}): FileOutcome[] {
  const removed = applyChanges(ownFilesIn(folder), dryRun);
  if (!dryRun && removed.some(({ after }) => after === null)) {
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
  const before = withFileErrors(path, () => readRegularIfThere(path, CONFIG_LIMIT)?.toString('utf8') ?? null);
  const state = stateOf(before);
  const kept = state === 'ours' ? null : state;
  return { path, before, after: kept === null ? wanted : before, kept };
}

function applyChanges(outcomes: FileOutcome[], dryRun: boolean): FileOutcome[] {
  for (const { path, before, after } of outcomes) {
    if (dryRun || before === after) continue;
    withFileErrors(path, () =>
      after === null ? rmSync(path, { force: true }) : writeAtomically(path, after, 0o644),
    );
  }
  return outcomes;
}

const WORDS = '# Written by Cairn, which renews and removes it while it is unchanged:';
const MARK = new RegExp(`^${WORDS} (\\w+)\\n`, 'm');

function marked(text: string): string {
  return text.replace(/^---\n/, `---\n${WORDS} ${digestOf(text)}\n`);
}

function stateOf(text: string | null): 'ours' | 'edited' | 'foreign' {
  if (text === null) return 'ours';
  const digest = MARK.exec(text)?.[1];
  if (digest === undefined) return 'foreign';
  return digest === digestOf(text.replace(MARK, '')) ? 'ours' : 'edited';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function filesIn(folder: string): string[] {
  return withFileErrors(folder, () => {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
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

function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SettingsError(`Cairn cannot read or write ${path} (${errorCode(error) ?? String(error)}).`);
  }
}
