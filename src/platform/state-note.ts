import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from './files.ts';
import type { Paths } from './paths.ts';

/** Something that every process should know for a while: a little JSON in the state folder. */
export function createStateNote<T>(name: string) {
  const fileOf = (paths: Paths) => join(paths.state, name);
  return {
    /** Null where there is none; one that cannot be read says nothing. */
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
