import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from './files.ts';
import type { Paths } from './paths.ts';

/** A note shared by all processes: a small JSON file in the state folder. */
export function createStateNote<T>(name: string) {
  const fileOf = (paths: Paths) => join(paths.state, name);
  return {
    /** Null if it is missing or unreadable. */
    read(paths: Paths): T | null {
      try {
        return JSON.parse(readIfThere(fileOf(paths)) ?? 'null');
      } catch {
        return null;
      }
    },
    write: (paths: Paths, note: T) => writeAtomically(fileOf(paths), JSON.stringify(note)),
    clear: (paths: Paths) => rmSync(fileOf(paths), { force: true }),
  };
}
