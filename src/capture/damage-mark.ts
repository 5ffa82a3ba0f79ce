import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { identifyFile, readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/**
 * A reader may find damage that intake does not touch; the next intake then rebuilds the database. `file`: which one was
 * read, by `identifyFile`. Another process may have rebuilt it meanwhile, and the new one must not be put aside too.
 */
export function markDamaged(paths: Paths, file: string | null): void {
  if (file !== null) writeAtomically(markFile(paths), file);
}

export function isMarkedDamaged(paths: Paths): boolean {
  const marked = readIfThere(markFile(paths));
  return marked !== null && marked === identifyFile(paths.database);
}

export function clearDamageMark(paths: Paths): void {
  rmSync(markFile(paths), { force: true });
}

function markFile(paths: Paths): string {
  return join(paths.state, 'damaged');
}
