import { join } from 'node:path';
import { realPath } from '../../platform/files.ts';
import { doesFolderAnswer } from '../../platform/folder-answers.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import type { NotesStore } from '../../store/store.ts';
import type { NotedFolder } from '../../store/types/notes.ts';
import { findNotableFolders, findNoteFolders } from './folders.ts';
import { GitError } from './git-paths.ts';
import { readNotes } from './note-file.ts';
import { findIds } from './timeline.ts';
import { type NoteOptions, type NoteOutcome, stripFolder, updateNotesInFolder } from './update-folder.ts';

export interface NotesPlace {
  top: string;
  projectId: number;
}

/** Updates the notes of a checkout. Folders without memories lose their notes. */
export function writeNotes(store: NotesStore, place: NotesPlace, how: NoteOptions): NoteOutcome[] {
  const folders = findNotableFolders(place.top, store.listProjectFiles(place.projectId)).map(
    toNotedFolder(place),
  );
  const left = store.listNotedFolders({ top: place.top }).filter(isNotAmong(folders));
  return [
    ...folders.flatMap((folder) => updateNotesInFolder(store, folder, how)),
    ...left.flatMap(({ folder }) => stripFolder(store, folder, how.isDryRun ?? false)),
  ];
}

/** Removes Cairn's block from every file of the checkout, and from all other files that got one for this project. */
export function cleanNotes(
  store: NotesStore,
  { top, projectId }: { top: string; projectId: number | null },
  isDryRun = false,
): NoteOutcome[] {
  const noted = projectId === null ? store.listNotedFolders({ top }) : store.listNotedFolders({ projectId });
  const folders = [
    ...findNoteFolders(top).map((folder) => join(top, folder)),
    ...noted.map((place) => place.folder),
  ];
  return [...new Set(folders)].sort().flatMap((folder) => stripFolder(store, folder, isDryRun));
}

/**
 * After turns were distilled: updates the folders of their memories, and those whose notes contain a replaced memory.
 */
export function updateDistilledFolders(store: NotesStore, since: number, how: NoteOptions): NoteOutcome[] {
  return store.listDistilledPlaces(since).flatMap(({ folder, projectId, files }) => {
    if (!doesFolderAnswer(folder)) return [];
    const place = { top: findCheckout(folder)?.top ?? realPath(folder), projectId };
    try {
      return noteTouched(store, place, files, how);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return [{ path: place.top, before: null, after: null, problem: error.message }];
    }
  });
}

function noteTouched(store: NotesStore, place: NotesPlace, files: string[], how: NoteOptions): NoteOutcome[] {
  const current = findNotableFolders(place.top, files).map(toNotedFolder(place));
  const overtaken = store
    .listNotedFolders({ top: place.top })
    .filter(isNotAmong(current))
    .filter((noted) => {
      const memoryIds = readMemoryIds(noted);
      return store.filterCurrentMemories(memoryIds).length < memoryIds.length;
    });
  return [...current, ...overtaken].flatMap((place) => updateNotesInFolder(store, place, how));
}

/**
 * After memories were edited or forgotten: updates every note on this machine that contains one of them. `gone`
 * memories are left out even if they are still stored, as in a dry run.
 */
export function refreshNotes(
  store: NotesStore,
  { changed = [], gone = [] }: { changed?: number[]; gone?: number[] },
  how: NoteOptions,
): NoteOutcome[] {
  const affected = new Set([...changed, ...gone]);
  return store
    .listNotedFolders()
    .filter((noted) => readMemoryIds(noted).some((id) => affected.has(id)))
    .flatMap((noted) => updateNotesInFolder(store, noted, how, gone));
}

function toNotedFolder({ top, projectId }: NotesPlace): (folder: string) => NotedFolder {
  return (folder) => ({ folder: join(top, folder), top, projectId });
}

function isNotAmong(folders: NotedFolder[]): (noted: NotedFolder) => boolean {
  const paths = new Set(folders.map(({ folder }) => folder));
  return ({ folder }) => !paths.has(folder);
}

/** An unreadable folder counts as having no notes, because nothing in it can be removed. */
function readMemoryIds({ folder }: NotedFolder): number[] {
  try {
    return [...new Set(findIds(readNotes(folder)))];
  } catch {
    return [];
  }
}
