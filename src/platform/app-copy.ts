import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { listFilesBelow, listNames, makePrivateFolder, PRIVATE_FILE, readIfThere } from './files.ts';
import { processExists } from './process-identity.ts';

/**
 * The program's copy below Cairn's home (`app/<version>`). Hooks run this copy, so an emptied npx cache, a moved
 * clone or a removed package does not break them.
 */

interface AppFile {
  name: string;
  source: string;
}

export interface AppCopy {
  root: string;
  isMissing: boolean;
  make(): void;
}

/** The copy of the program at `root`. A build with other content under the same version gets its own folder. */
export function planCopy(appFolder: string, root: string): AppCopy {
  if (dirname(root) === appFolder) return { root, isMissing: false, make: () => {} };
  const files = filesToCopy(root);
  const digest = digestOf(files);
  const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const names = [version, `${version}-${digest.slice(0, 8)}`];
  const present = names.map((name) => join(appFolder, name)).find((copy) => isCopy(copy, files, digest));
  if (present) return { root: present, isMissing: false, make: () => {} };
  const free = names.map((name) => join(appFolder, name)).find((copy) => !existsSync(copy));
  const copy = free ?? join(appFolder, `${version}-${digest.slice(0, 8)}`);
  return { root: copy, isMissing: true, make: () => copyFiles(files, copy) };
}

function isCopy(copy: string, files: AppFile[], digest: string): boolean {
  const copied = files.map(({ name }) => ({ name, source: join(copy, name) }));
  return copied.every(({ source }) => existsSync(source)) && digestOf(copied) === digest;
}

function digestOf(files: AppFile[]): string {
  const hash = createHash('sha256');
  for (const { name, source } of files) {
    const content = readFileSync(source);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The folder gets its name only when it is complete. */
function copyFiles(files: AppFile[], copy: string): void {
  const draft = `${copy}.${process.pid}.new`;
  removeAbandonedDrafts(dirname(copy));
  try {
    for (const { name, source } of files) {
      makePrivateFolder(dirname(join(draft, name)));
      copyFileSync(source, join(draft, name));
      chmodSync(join(draft, name), PRIVATE_FILE);
    }
    const isThere = () => isCopy(copy, files, digestOf(files));
    // Another installation may have made the same copy meanwhile; any other folder there is a damaged copy.
    if (isThere()) return;
    rmSync(copy, { recursive: true, force: true });
    try {
      renameSync(draft, copy);
    } catch (error) {
      if (!isThere()) throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes the drafts of installations that were killed. */
function removeAbandonedDrafts(appFolder: string): void {
  for (const name of listNames(appFolder)) {
    const pid = Number(/\.(\d+)\.new$/.exec(name)?.[1] ?? 0);
    if (pid > 0 && (pid === process.pid || !processExists(pid)))
      rmSync(join(appFolder, name), { recursive: true, force: true });
  }
}

/** The files that the program needs: not the public library, and only this system's native binaries. */
function filesToCopy(root: string): AppFile[] {
  const own = ['dist', 'plugins'].flatMap((folder) => filesBelow(join(root, folder), folder));
  const needed = own.filter(({ name }) => !/^dist\/(types\/|hooks\.[cm]js$)/.test(name));
  return [
    { name: 'package.json', source: join(root, 'package.json') },
    ...needed,
    ...packagesOf(root).flatMap(({ name, folder }) =>
      filesBelow(folder, `node_modules/${name}`).filter((file) => isNeededAtRunTime(file.name)),
    ),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function filesBelow(folder: string, prefix: string): AppFile[] {
  return listFilesBelow(folder).map((source) => ({
    name: prefix + source.slice(folder.length).split(sep).join('/'),
    source,
  }));
}

/** Sources, types and source maps are for developers. */
function isNeededAtRunTime(name: string): boolean {
  if (/\/(?:src|scripts|node_modules\/\.bin)\//.test(name)) return false;
  const system = /\/prebuilds\/([^/]+)\//.exec(name)?.[1];
  if (system !== undefined && system !== `${process.platform}-${process.arch}`) return false;
  if (/\.node$/.test(name))
    return process.platform !== 'linux' || !name.includes(isMusl() ? '.glibc.' : '.musl.');
  return /(?:\.[cm]?js|\/package\.json|\/LICEN[CS]E[^/]*)$/.test(name);
}

function isMusl(): boolean {
  return existsSync('/etc/alpine-release');
}

/** The run-time dependencies, direct and transitive, wherever npm has installed them. */
function packagesOf(root: string): { name: string; folder: string }[] {
  const found = new Map<string, string>();
  const visit = (from: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (found.has(name)) continue;
      const folder = findPackage(name, from);
      found.set(name, folder);
      visit(folder);
    }
  };
  visit(root);
  return [...found].map(([name, folder]) => ({ name, folder }));
}

function findPackage(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder))
      throw new Error(`Cairn cannot find its dependency ${name}. Install Cairn again.`);
  }
}

/** Removes copies that are neither kept nor used by a running process, such as an agent's MCP server. */
export function removeOldCopies(appFolder: string, kept: string[]): void {
  const old = readdirSync(appFolder)
    .map((name) => join(appFolder, name))
    .filter((copy) => !kept.includes(copy) && !isRecent(copy));
  const running = old.length > 0 ? commandLines() : [];
  for (const copy of old) {
    if (running.some((line) => line.includes(copy + sep))) continue;
    rmSync(copy, { recursive: true, force: true, maxRetries: 2 });
  }
}

const HOUR = 60 * 60_000;

/** Another process may be writing a draft. Where processes cannot be listed, a copy may be in use. */
function isRecent(copy: string): boolean {
  const limit = copy.endsWith('.new') ? HOUR : process.platform === 'linux' ? 0 : 30 * 24 * HOUR;
  const stats = statSync(copy, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < limit;
}

function commandLines(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readUnlessGone(`/proc/${pid}/cmdline`));
}

function readUnlessGone(path: string): string {
  try {
    return readIfThere(path) ?? '';
  } catch {
    return '';
  }
}
