import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { agentById } from '../../agents/all.ts';
import { defaultAgent } from '../../agents/default.ts';
import type { Redacted } from '../../model/redacted.ts';
import { errorCode } from '../../platform/files.ts';
import type { NotesStore } from '../../store/store.ts';
import type { FolderEntry, NotedFolder } from '../../store/types/notes.ts';
import { type NoteFileName, planNotes, type WantedNotes } from './note-file.ts';
import { ReadOnlyFileError, replaceFile } from './replace-file.ts';
import { formatFolderNotes } from './timeline.ts';

/** The result for one file, applied or (in a dry run) only computed. */
export interface NoteOutcome {
  path: string;
  /** Null if the file does not exist. */
  before: Buffer | null;
  after: Buffer | null;
  /** Why it was left unchanged, and what to do. */
  problem?: string;
}

export interface NoteOptions {
  /** Maximum memories per folder. */
  rows: number;
  /** The store accepts only redacted text. */
  redact: <T>(value: T) => Redacted<T>;
  isDryRun?: boolean;
}

const TRIES = 5;

/** Writes or removes the notes of a folder, depending on its memories. */
export function updateNotesInFolder(
  store: NotesStore,
  noted: NotedFolder,
  { rows, redact, isDryRun = false }: NoteOptions,
  /** Memories to treat as deleted. */
  except: number[] = [],
): NoteOutcome[] {
  const { folder, top, projectId } = noted;
  const name = relative(top, folder).split(sep).join('/');
  let hasEntries = false;
  const outcomes = applyWanted(folder, isDryRun, () => {
    const entries = store.listFolderEntries({ projectId, folder: name, limit: rows, except });
    hasEntries = entries.length > 0;
    // Recorded before the file is written: a record without a note is harmless, a note without one would survive a forget.
    if (hasEntries && !isDryRun) store.addNotedFolder(redact(noted));
    return hasEntries ? { content: formatFolderNotes(entries), preferred: fileFor(entries) } : null;
  });
  if (!hasEntries && !isDryRun) removeNote(store, folder, outcomes);
  return outcomes;
}

export function stripFolder(store: NotesStore, folder: string, isDryRun: boolean): NoteOutcome[] {
  const outcomes = applyWanted(folder, isDryRun, () => null);
  if (!isDryRun) removeNote(store, folder, outcomes);
  return outcomes;
}

/** A block that could not be removed stays recorded. */
function removeNote(store: NotesStore, folder: string, outcomes: NoteOutcome[]): void {
  if (outcomes.every(({ problem }) => problem === undefined)) store.removeNotedFolder(folder);
}

/** Whether the folder exists and is not behind a link, which may point anywhere. */
function isThere(folder: string): boolean {
  try {
    return realpathSync(folder) === folder;
  } catch {
    return false;
  }
}

/** The instructions file of the agent that worked here last. */
function fileFor(entries: FolderEntry[]): NoteFileName {
  const id = entries.find((entry) => entry.agent !== null)?.agent;
  return (id ? agentById(id) : defaultAgent)?.instructionsFile ?? 'AGENTS.md';
}

/** An error in one folder is reported and does not stop the others. */
function applyWanted(folder: string, isDryRun: boolean, wanted: () => WantedNotes | null): NoteOutcome[] {
  if (!isThere(folder)) return [];
  const plan = (): NoteOutcome[] =>
    planNotes(folder, wanted).map((plan) => ('problem' in plan ? failed(plan.path, plan.problem) : plan));
  try {
    for (let left = TRIES; left > 0; left--) {
      const planned = plan();
      const changes = planned.filter(isChange);
      if (isDryRun || changes.length === 0) return planned;
      if (!changes.every(replaceFile)) continue;
      // A memory may have been forgotten between reading and writing.
      if (left === 1 || !plan().some(isChange)) return planned;
    }
    return [failed(folder, 'another program writes to its files; left alone')];
  } catch (error) {
    return [failed(folder, reasonOf(error))];
  }
}

function isChange({ before, after }: NoteOutcome): boolean {
  return !(before === null ? after === null : after !== null && before.equals(after));
}

function failed(path: string, problem: string): NoteOutcome {
  return { path, before: null, after: null, problem };
}

function reasonOf(error: unknown): string {
  if (error instanceof ReadOnlyFileError)
    return 'its file is read-only; left alone. To have notes in it: chmod u+w';
  const code = errorCode(error);
  if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
  return `${REASONS[code] ?? `its files cannot be used (${code})`}; left alone`;
}

const REASONS: Record<string, string | undefined> = {
  EACCES: 'you may not write there',
  EPERM: 'it is protected, or belongs to another user',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  ENOENT: 'it was removed meanwhile',
};
