import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { redactValue } from '../capture/redact/redact-value.ts';
import { refreshNotes } from '../context/notes/notes.ts';
import type { NoteOutcome } from '../context/notes/update-folder.ts';
import { followEvents } from '../continuity/follow.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { describeError } from '../platform/log.ts';
import type { ForgetTargets, Forgotten } from '../store/types/curation.ts';
import { draftFolder, forgetInFiles, type HomeFiles } from './home-files.ts';
import { forgetInLogs } from './log-lines.ts';
import type { CurationOptions } from './options.ts';
import { renameWorkFolders, rewriteWorkFiles } from './work-files.ts';

export interface ForgetRequest extends ForgetTargets {
  withSource: boolean;
  isDryRun?: boolean;
  /** It can be restored until the trash is emptied. */
  isUndoable?: boolean;
  /** Then it is deleted for good, instead of after `forget.undoDays`. */
  dueAt?: number;
}

export interface ForgetResult extends Omit<Forgotten, 'wording' | 'renamedWorks'> {
  logLines: number;
  files: HomeFiles;
  /** Folder notes that mentioned it; with the problem if one still does. */
  notes: { path: string; problem?: string }[];
  /** The database could not be rewritten: parts of the text may be left on its pages. */
  hasRemains: boolean;
}

/**
 * Removes memories from every file below the home. With a target that is not there nothing is done. What can be undone
 * is kept in the trash; logs and raw events then keep it until the trash is emptied.
 */
export function forgetEverywhere(curation: CurationOptions, request: ForgetRequest): ForgetResult {
  const { store, paths, log, now } = curation;
  const { withSource, isDryRun = false, isUndoable = false, dueAt, ...targets } = request;
  // Events that are not followed yet would bring it back into work items.
  followEvents(store, { log, now: now() });
  const options = { withSource, isDryRun, isUndoable, dueAt: dueAt ?? null };
  const { wording, renamedWorks, trashId, ...forgotten } = store.forget(targets, options, now());
  if (hasMissing(forgotten))
    return {
      ...forgotten,
      trashId,
      logLines: 0,
      files: { removed: [], holding: [] },
      notes: [],
      hasRemains: false,
    };
  const memoryIds = forgotten.memories.map(({ id }) => id);
  const isPermanent = !isDryRun && !isUndoable;
  const logLines = isUndoable ? 0 : forgetInLogs(paths.logs, { wording, memories: memoryIds }, isDryRun);
  if (isPermanent) removeEditDrafts(curation, memoryIds);
  if (!isDryRun) renameWorkFolders(curation, renamedWorks);
  const files = forgetInFiles(paths, wording, { withSource, isDryRun, isUndoable });
  const notes = forgetInNotes(curation, forgotten, isDryRun);
  if (isDryRun) return { ...forgotten, trashId, logLines, files, notes, hasRemains: false };
  rewriteWorkFiles(curation, files.removed);
  updateIndex(store);
  if (isPermanent && trashId !== null) store.deleteTrash([trashId]);
  const hasRemains = isPermanent && !wipeDeletedText(curation);
  const { prompts, events } = forgotten;
  log.info('forgotten', { memories: memoryIds.join(' '), prompts, events, logLines, undoable: isUndoable });
  return { ...forgotten, trashId: isPermanent ? null : trashId, logLines, files, notes, hasRemains };
}

function forgetInNotes(
  { store, settings }: CurationOptions,
  { memories, trimmed }: Pick<Forgotten, 'memories' | 'trimmed'>,
  isDryRun: boolean,
): ForgetResult['notes'] {
  const what = { gone: memories.map(({ id }) => id), changed: trimmed.map(({ id }) => id) };
  const outcomes = refreshNotes(store, what, { rows: settings['notes.rows'], redact: redactValue, isDryRun });
  return outcomes.map(({ path, problem }: NoteOutcome) => ({ path, ...(problem && { problem }) }));
}

/** It is gone from every table by now: errors here are reported and undo nothing. */
export function wipeDeletedText({ store, log }: CurationOptions): boolean {
  try {
    return store.vacuumAndTruncate();
  } catch (error) {
    log.warn('database not rewritten', { cause: describeError(error) });
    return false;
  }
}

export function removeEditDrafts(curation: Pick<CurationOptions, 'paths'>, ids: number[]): void {
  for (const id of ids) rmSync(draftPath(curation, id), { force: true });
}

export function hasMissing({ missing }: Pick<Forgotten, 'missing'>): boolean {
  return missing.memories.length + missing.prompts.length + missing.sessions.length > 0;
}

export function draftPath({ paths }: Pick<CurationOptions, 'paths'>, id: number): string {
  return join(draftFolder(paths), `memory-${id}.md`);
}
