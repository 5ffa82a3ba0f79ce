import { rmSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { containsWording, textOfJson, type Wording } from '../model/wording.ts';
import { listFilesBelow } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { textChunksOf } from '../platform/text-chunks.ts';

export interface HomeFiles {
  removed: string[];
  holding: string[];
}

/** Drafts of edited memories. */
export function draftFolder(paths: Paths): string {
  return join(paths.home, 'drafts');
}

interface ForgetInFilesOptions {
  withSource: boolean;
  isDryRun: boolean;
  /** Only files that are written again from the database; the others go when the trash is emptied. */
  isUndoable?: boolean;
}

/**
 * Every file below the home but the database and the logs, which are cleaned in their own ways. Raw events that
 * were set aside, and damaged databases, are a source: they go with it, or are named.
 */
export function forgetInFiles(
  paths: Paths,
  wording: Wording,
  { withSource, isDryRun, isUndoable = false }: ForgetInFilesOptions,
): HomeFiles {
  const found: HomeFiles = { removed: [], holding: [] };
  for (const path of listFilesBelow(paths.home)) {
    const kind = kindOf(paths, path);
    if (kind === 'cleaned elsewhere' || (isUndoable && !isRewritten(paths, path))) continue;
    if (!fileContains(path, wording)) continue;
    const goes = kind === 'ours' || (kind === 'source' && withSource);
    if (goes && !isDryRun) rmSync(path, { force: true });
    (goes ? found.removed : found.holding).push(relative(paths.home, path).split(sep).join('/'));
  }
  return found;
}

/** A person's own files stay. */
type FileKind = 'cleaned elsewhere' | 'ours' | 'source' | "a person's";

function kindOf(paths: Paths, path: string): FileKind {
  const name = basename(path);
  const isBelow = (folder: string) => path.startsWith(folder + sep);
  // The program contains no data.
  if (isBelow(paths.app)) return 'cleaned elsewhere';
  if (isBelow(paths.logs) || /^cairn\.db(-wal|-shm)?$/.test(name)) return 'cleaned elsewhere';
  if (name.startsWith('cairn.db.') || isBelow(paths.spool)) return 'source';
  // Files of work items are rewritten from the database.
  const ours = [paths.state, draftFolder(paths), paths.works];
  return ours.some(isBelow) ? 'ours' : "a person's";
}

function isRewritten(paths: Paths, path: string): boolean {
  return [paths.state, paths.works].some((folder) => path.startsWith(folder + sep));
}

function fileContains(path: string, wording: Wording): boolean {
  for (const text of textChunksOf(path))
    if (containsWording(textOfJson(text), wording, { isGlued: true })) return true;
  return false;
}
