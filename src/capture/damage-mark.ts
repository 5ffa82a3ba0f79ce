import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { identifyFile, readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/**
 * Makes the next intake rebuild the database: a reader may find damage in parts that intake does not read. `file` is
 * the `identifyFile` of the damaged file, because another process may have replaced it by a rebuilt one meanwhile.
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
