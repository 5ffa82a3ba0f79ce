import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** For an agent with several names for its settings: the first that exists, else the last. */
export function findSettingsFile(folder: string, names: string[]): string {
  const paths = names.map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? folder;
}
