import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

/** A folder that is removed after the test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-test-')));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];

export async function removeTempFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await removeFolder(folder);
}
