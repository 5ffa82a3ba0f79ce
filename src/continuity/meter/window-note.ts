import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import { isSessionFileName } from '../../model/session.ts';
import { makePrivateFolder, PRIVATE_FILE, readIfThere } from '../../platform/files.ts';
import { removeOldFiles } from '../../platform/old-files.ts';
import type { Paths } from '../../platform/paths.ts';

/** The context window of a session, which its agent reports only to the status line. */
export interface WindowNote {
  size: number;
  /** Null before the first response. */
  used: number | null;
  model: string | null;
  at: number;
}

const OLD_MS = 7 * 86_400_000;

/** Written only if it has changed: the status line is drawn often. */
export function writeWindowNote(paths: Paths, session: string, note: WindowNote): void {
  const file = fileOf(paths, session);
  // Does not create a removed home again.
  if (!file || !existsSync(paths.state)) return;
  const before = readWindowNote(paths, session);
  if (before && before.size === note.size && before.used === note.used && before.model === note.model) return;
  if (!before) {
    makePrivateFolder(folderOf(paths));
    removeOldFiles(folderOf(paths), note.at - OLD_MS);
  }
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(note), { mode: PRIVATE_FILE });
  renameSync(draft, file);
}

export function readWindowNote(paths: Paths, session: string): WindowNote | null {
  const file = fileOf(paths, session);
  try {
    const note: unknown = JSON.parse((file && readIfThere(file)) || 'null');
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is WindowNote {
  return (
    isObject(value) &&
    typeof value.size === 'number' &&
    (value.used === null || typeof value.used === 'number') &&
    (value.model === null || typeof value.model === 'string') &&
    typeof value.at === 'number'
  );
}

function folderOf(paths: Paths): string {
  return join(paths.state, 'windows');
}

/** Ignores an id that is not a plain file name. */
function fileOf(paths: Paths, session: string): string | null {
  return isSessionFileName(session) ? join(folderOf(paths), session) : null;
}
