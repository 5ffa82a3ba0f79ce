import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files in a folder that were last written before the given time. Errors are ignored. */
export function removeOldFiles(folder: string, before: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const file = statSync(path, { throwIfNoEntry: false });
      if (file?.isFile() && file.mtimeMs < before) rmSync(path, { force: true });
    }
  } catch {}
}
