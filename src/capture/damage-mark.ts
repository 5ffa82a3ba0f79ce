import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/** A reader may find damage that intake does not touch; the next intake then rebuilds the database. */
export function markDamaged(paths: Paths): void {
  writeAtomically(markFile(paths), '');
}

export function isMarkedDamaged(paths: Paths): boolean {
  return existsSync(markFile(paths));
}

export function clearDamageMark(paths: Paths): void {
  rmSync(markFile(paths), { force: true });
}

function markFile(paths: Paths): string {
  return join(paths.state, 'damaged');
}
