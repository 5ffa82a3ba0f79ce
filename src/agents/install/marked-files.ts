import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, isMissing, writeAtomically } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import { SettingsError } from './settings-file.ts';

/**
 * Markdown files of ours in a folder of the agent's. A comment at the head of each tells ours from those of a
 * person, and by a digest whether it is still as we wrote it: what a person has changed is theirs.
 */
export interface OwnFile {
  name: string;
  /** With front matter, without the mark. */
  text: string;
}

/** The change of one file, made or (in a dry run) only worked out. */
export interface FileOutcome {
  path: string;
  before: string | null;
  after: string | null;
  /** Why it was left as it is, where it was. */
  kept: 'edited' | 'foreign' | null;
}

export function installFiles(folder: string, wanted: OwnFile[], { dryRun = false } = {}): FileOutcome[] {
  const outcomes = wanted.map(({ name, text }) => outcomeOf(join(folder, name), marked(text)));
  // From a version that had more of them.
  const left = ownFilesIn(folder).filter(({ path }) => !outcomes.some((each) => each.path === path));
  return carryOut([...outcomes, ...left], dryRun);
}

/** All that are ours and unchanged; the folders that are empty then go with them. */
export function removeFiles(folder: string, { dryRun = false } = {}): FileOutcome[] {
  const removed = carryOut(ownFilesIn(folder), dryRun);
  if (!dryRun && removed.some(({ after }) => after === null)) {
    removeIfEmpty(folder);
    removeIfEmpty(dirname(folder));
  }
  return removed;
}

/** To be removed, where they are as we wrote them. */
function ownFilesIn(folder: string): FileOutcome[] {
  return filesIn(folder)
    .map((name) => outcomeOf(join(folder, name), null))
    .filter(({ kept }) => kept !== 'foreign');
}

function outcomeOf(path: string, wanted: string | null): FileOutcome {
  const before = withTrouble(path, () => readRegularIfThere(path, CONFIG_LIMIT)?.toString('utf8') ?? null);
  const state = stateOf(before);
  const kept = state === 'ours' ? null : state;
  return { path, before, after: kept === null ? wanted : before, kept };
}

function carryOut(outcomes: FileOutcome[], dryRun: boolean): FileOutcome[] {
  for (const { path, before, after } of outcomes) {
    if (dryRun || before === after) continue;
    withTrouble(path, () =>
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

/** A file that is not there is ours to write. */
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
  return withTrouble(folder, () => {
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
  } catch {
    // It has content that is not ours.
  }
}

function withTrouble<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SettingsError(`Cairn cannot read or write ${path} (${errorCode(error) ?? String(error)}).`);
  }
}
