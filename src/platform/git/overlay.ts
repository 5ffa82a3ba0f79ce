import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files.ts';
import { temporaryFolder } from './environment.ts';
import { buildOverlayConfig } from './overlay-config.ts';
import { type GitFolders, readHead } from './references.ts';

/** Git maps the whole index into memory. */
const LARGEST_INDEX = 1_000_000_000;

/** The highest precedence that attributes can have: no filter, diff or merge program is assigned to any file. */
const ATTRIBUTES = '* -filter -diff -merge\n';

/**
 * Makes a git directory that shows git only the objects, references and index of a repository, without its
 * configuration, hooks and attributes file. So git never reads anything in a `.git` that could name a program
 * (filters, monitors, helpers, hooks, promisor remotes …), and nothing has to be overridden one by one. It is used
 * for one call; the caller removes it. @throws if git could not read the repository, or nothing can be written.
 */
export function makeOverlay(folders: GitFolders, { isBare }: { isBare: boolean }): string {
  const overlay = mkdtempSync(join(temporaryFolder(), 'cairn-git-'));
  try {
    fill(overlay, folders, isBare);
    return overlay;
  } catch (error) {
    removeOverlay(overlay);
    throw error;
  }
}

/** Removes the links in the overlay, not their targets. */
export function removeOverlay(overlay: string): void {
  rmSync(overlay, { recursive: true, force: true });
}

function fill(overlay: string, { gitDir, commonDir }: GitFolders, isBare: boolean): void {
  const write = (name: string, text: string) =>
    writeFileSync(join(overlay, name), text, { mode: PRIVATE_FILE });
  mkdirSync(join(overlay, 'info'), { mode: PRIVATE_FOLDER });
  write('HEAD', headLine(gitDir, commonDir));
  write('config', buildOverlayConfig({ gitDir, commonDir }, { isBare }));
  write('info/attributes', ATTRIBUTES);
  for (const name of ['objects', 'refs', 'reftable']) linkFolder(join(commonDir, name), join(overlay, name));
  for (const name of ['packed-refs', 'shallow', 'info/exclude'])
    linkFile(join(commonDir, name), join(overlay, name));
  if (isBare) return;
  refuseUnusable(join(gitDir, 'index'));
  // A split index keeps most of its entries in `sharedindex.*` files.
  const names = readdirSync(gitDir).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  for (const name of names) linkFile(join(gitDir, name), join(overlay, name));
}

function headLine(gitDir: string, commonDir: string): string {
  const head = readHead(gitDir);
  if (head) return 'commit' in head ? `${head.commit}\n` : `ref: ${head.reference}\n`;
  // With reftable, HEAD has this fixed text.
  if (isFolder(join(commonDir, 'reftable'))) return 'ref: refs/heads/.invalid\n';
  throw new Error(`${join(gitDir, 'HEAD')} is not readable as a reference.`);
}

/** Git would treat a missing index as one with all files deleted. */
function refuseUnusable(index: string): void {
  const found = statSync(index, { throwIfNoEntry: false });
  if (found && (!found.isFile() || found.size > LARGEST_INDEX)) throw new Error(`${index} is not usable.`);
}

function linkFolder(target: string, path: string): void {
  if (isFolder(target)) symlinkSync(target, path, 'junction');
}

/** Links only to a regular file: git would block on a FIFO. */
function linkFile(target: string, path: string): void {
  if (!statSync(target, { throwIfNoEntry: false })?.isFile()) return;
  try {
    symlinkSync(target, path, 'file');
  } catch {
    // On Windows a link to a file needs a privilege.
    copyFileSync(target, path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
