import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { listEntries } from '../../platform/files.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { readRegularText } from '../../platform/read-regular-file.ts';
import { listGitPaths } from './git-paths.ts';
import { NOTE_FILES } from './note-file.ts';

/** Folders to skip outside git. */
const USUALLY_IGNORED = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'Pods', 'site-packages', 'venv', '__pycache__'],
  ...['dist', 'build', 'out', 'target', 'obj', 'coverage', 'DerivedData', 'tmp', 'temp', 'logs'],
]);

/**
 * The folders of these files, relative to the top of the checkout, that may get notes: existing folders below the top
 * that are not ignored and not in another repository.
 */
export function findNotableFolders(top: string, files: string[]): string[] {
  // A session in the root folder had no project.
  if (top === dirname(top)) return [];
  const isOurs = withinCheckout(top);
  const byFolder = new Map<string, string[]>();
  for (const file of files) {
    const folder = posix.dirname(file);
    if (posix.normalize(file) === file && isOurs(folder))
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  const ignored = isUnderGit(top) ? findIgnoredByGit(top, byFolder) : findUsuallyIgnored(byFolder);
  return [...byFolder.keys()].filter((folder) => !ignored.has(folder)).sort();
}

/** The top and the folders below it that have a file which may contain notes. */
export function findNoteFolders(top: string): string[] {
  if (!isUnderGit(top)) return walk(top, '');
  const patterns = NOTE_FILES.map((name) => `:(glob)**/${name}`);
  const listed = listGitPaths(top, ['ls-files', '-z', '-co', '--exclude-standard', '--', ...patterns]);
  return [...new Set(listed.map((path) => posix.dirname(path)))].sort();
}

/** Hidden folders belong to tools: a Markdown file there may be a command, an agent or a template. */
function withinCheckout(top: string): (folder: string) => boolean {
  const submodules = submodulesOf(top);
  const known = new Map<string, boolean>();
  function isOurs(folder: string): boolean {
    if (folder === '.' || folder === '/') return false;
    const parent = posix.dirname(folder);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const isOwn =
      !posix.basename(folder).startsWith('.') &&
      !submodules.has(folder) &&
      (parent === '.' || isOurs(parent)) &&
      isPlainFolder(join(top, folder));
    known.set(folder, isOwn);
    return isOwn;
  }
  return isOurs;
}

/** Whether a folder is neither a link, which may point anywhere, nor another repository. */
function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && !existsSync(join(path, '.git'));
  } catch {
    return false;
  }
}

/** Includes submodules that are not checked out, which are empty folders. */
function submodulesOf(top: string): Set<string> {
  const text = readRegularText(join(top, '.gitmodules'), { maxBytes: 1_000_000 }) ?? '';
  // Match line by line: `\s*` in a pattern for the whole file takes minutes on many empty lines.
  const paths = text.split('\n').flatMap((line) => /^path\s*=\s*(.+)$/.exec(line.trim())?.[1] ?? []);
  return new Set(paths.map((path) => posix.normalize(path.replace(/^"|"$/g, ''))));
}

/** Folders that are ignored themselves (`dist/`), or whose known files all are (`logs/*`). */
function findIgnoredByGit(top: string, byFolder: Map<string, string[]>): Set<string> {
  const paths = [...byFolder].flat(2);
  if (paths.length === 0) return new Set();
  const ignored = new Set(listGitPaths(top, ['check-ignore', '--no-index', '--stdin', '-z'], paths));
  const isIgnored = ([folder, files]: [string, string[]]) =>
    ignored.has(folder) || files.every((file) => ignored.has(file));
  return new Set([...byFolder].filter(isIgnored).map(([folder]) => folder));
}

function findUsuallyIgnored(byFolder: Map<string, string[]>): Set<string> {
  return new Set([...byFolder.keys()].filter((folder) => folder.split('/').some(isUsuallyIgnored)));
}

function isUsuallyIgnored(name: string): boolean {
  return USUALLY_IGNORED.has(name);
}

function isUnderGit(top: string): boolean {
  return findCheckout(top)?.top === top;
}

function walk(top: string, folder: string): string[] {
  const entries = listEntries(join(top, folder));
  if (folder !== '' && entries.some(({ name }) => name === '.git')) return [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !isUsuallyIgnored(entry.name))
    .flatMap(({ name }) => walk(top, posix.join(folder, name)));
  const isNoted = entries.some(({ name }) => NOTE_FILES.some((known) => known === name));
  return isNoted ? [folder || '.', ...below] : below;
}
