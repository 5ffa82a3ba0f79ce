import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { redactValue } from '../capture/redact/redact-value.ts';
import { refreshNotes } from '../context/notes/notes.ts';
import type { NoteOutcome } from '../context/notes/settle.ts';
import { followEvents } from '../continuity/follow.ts';
import { bringIndexUpToDate } from '../indexing/bring-up-to-date.ts';
import { describeError } from '../platform/log.ts';
import type { ForgetTargets, Forgotten } from '../store/curation-store.ts';
import { draftFolder, forgetInFiles, type HomeFiles } from './home-files.ts';
import { forgetInLogs } from './log-lines.ts';
import { moveRenamed, writeAnew } from './work-files.ts';
import type { CurationWorld } from './world.ts';

export interface ForgetRequest extends ForgetTargets {
  withSource: boolean;
  isDryRun?: boolean;
}

export interface ForgottenEverywhere extends Omit<Forgotten, 'wording' | 'renamedWorks'> {
  logLines: number;
  files: HomeFiles;
  /** Notes in folders that told of it; with what is wrong where one still does. */
  notes: { path: string; problem?: string }[];
  /** The database could not be written anew: pieces of it may be left on its pages. */
  hasRemains: boolean;
}

/** Removes memories from every file below the home. With a target that is not there nothing is done. */
export function forgetEverywhere(world: CurationWorld, request: ForgetRequest): ForgottenEverywhere {
  const { store, paths, log, now } = world;
  const { withSource, isDryRun = false, ...targets } = request;
  // What is still to be looked at for works would bring it back there.
  followEvents(store, { log, now: now() });
  const { wording, renamedWorks, ...forgotten } = store.forget(targets, { withSource, isDryRun }, now());
  if (isAnyMissing(forgotten))
    return { ...forgotten, logLines: 0, files: { removed: [], holding: [] }, notes: [], hasRemains: false };
  const memoryIds = forgotten.memories.map(({ id }) => id);
  const logLines = forgetInLogs(paths.logs, { wording, memories: memoryIds }, isDryRun);
  if (!isDryRun) for (const id of memoryIds) rmSync(draftOf(world, id), { force: true });
  if (!isDryRun) moveRenamed(world, renamedWorks);
  const files = forgetInFiles(paths, wording, { withSource, isDryRun });
  const notes = forgetInNotes(world, forgotten, isDryRun);
  if (isDryRun) return { ...forgotten, logLines, files, notes, hasRemains: false };
  writeAnew(world, files.removed);
  bringIndexUpToDate(store);
  const hasRemains = !wipeRemains(world);
  const { prompts, events } = forgotten;
  log.info('forgotten', { memories: memoryIds.join(' '), prompts, events, logLines });
  return { ...forgotten, logLines, files, notes, hasRemains };
}

function forgetInNotes(
  { store, settings }: CurationWorld,
  { memories, trimmed }: Pick<Forgotten, 'memories' | 'trimmed'>,
  isDryRun: boolean,
): ForgottenEverywhere['notes'] {
  const what = { gone: memories.map(({ id }) => id), changed: trimmed.map(({ id }) => id) };
  const outcomes = refreshNotes(store, what, { rows: settings['notes.rows'], redact: redactValue, isDryRun });
  return outcomes.map(({ path, problem }: NoteOutcome) => ({ path, ...(problem && { problem }) }));
}

/** It is gone from every table by now: whatever goes wrong here is told, and takes nothing back. */
function wipeRemains({ store, log }: CurationWorld): boolean {
  try {
    return store.wipeRemains();
  } catch (error) {
    log.warn('database not written anew', { cause: describeError(error) });
    return false;
  }
}

export function isAnyMissing({ missing }: Pick<Forgotten, 'missing'>): boolean {
  return missing.memories.length + missing.prompts.length + missing.sessions.length > 0;
}

/** Where a change that could not be read is kept for the person. */
export function draftOf({ paths }: Pick<CurationWorld, 'paths'>, id: number): string {
  return join(draftFolder(paths), `memory-${id}.md`);
}
