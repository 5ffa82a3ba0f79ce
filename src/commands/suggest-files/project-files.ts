import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listEntries } from '../../platform/files.ts';
import { gitLine, repositoryAt } from '../../platform/git/run.ts';
import { readCachedOutput } from '../support/cached-output.ts';
import { encodeBytes, isInSorted, joinPaths, listFolders } from './path-list.ts';
import type { KnownProjectFiles } from './rank.ts';

export interface FilesRequest {
  top: string;
  isGit: boolean;
  /** Cache of git's output, which in a large repository arrives too late for the call that asked. */
  kept: string;
  until: number;
  now: () => number;
}

/** Cached output younger than this is used without asking git. */
const LIST_FRESH_MS = 3_000;
const LOG_FRESH_MS = 60_000;
/** The time for listing files without git. */
const WALK_MS = 50;
const MOST_WALKED = 20_000;
const NEVER_WALKED = new Set(['node_modules', '__pycache__', 'venv']);

const GIT_LIMITS = { timeoutMs: 10_000, maxBytes: 256_000_000 };

/** Prints the files, a NUL, and the folders of the last commit. Newer folders follow from the changed files. */
const FOLDERS = 'cairn_git ls-tree -r -d -z --name-only HEAD 2>/dev/null || :';
const LISTS = `printf '\\0' && cairn_git ls-files -z && { printf '\\0'; ${FOLDERS}; }`;
const CHANGES = 'cairn_git status --porcelain -z --no-renames -uall --ignore-submodules=dirty';
// Limited in size: one commit may contain every file.
const LOG = 'cairn_git log -n 40 --no-merges --name-only --format= -z | head -c 20000';

type Files = Omit<KnownProjectFiles, 'remembered'>;

export interface ProjectFiles extends Files {
  /** False if only the files found in time are listed. */
  isWhole: boolean;
}

export async function listProjectFiles(wanted: FilesRequest): Promise<ProjectFiles> {
  if (wanted.isGit) {
    const known = await filesOfGit(wanted);
    if (known.list.length > 1) return { ...known, isWhole: true };
  }
  return { ...createFileList(walk(wanted)), isWhole: false };
}

export function createFileList(paths: string[]): Files {
  const files = new Set(paths.map(encodeBytes));
  const has = (path: string) => files.has(path);
  const folders = () => joinPaths(listFolders(files));
  return { list: joinPaths(files), folders, has, gone: new Set(), dirty: new Set(), committed: [] };
}

export function mergeFileLists<Some extends Files>(some: Some, more: Files): Some {
  return {
    ...some,
    list: some.list + more.list.slice(1),
    folders: () => some.folders() + more.folders().slice(1),
    has: (path) => some.has(path) || more.has(path),
  };
}

async function filesOfGit({ top, kept, until, now }: FilesRequest): Promise<Files> {
  const repository = repositoryAt(top);
  const ask = async (name: string, line: string, freshMs: number) => {
    if (!repository) return '';
    const file = `${kept}.${name}`;
    const fresh = readFresh(file, freshMs, now());
    if (fresh !== null) return fresh;
    const waitMs = until - WALK_MS - now();
    const command = () => gitLine(repository, line, GIT_LIMITS);
    return encodeBytes(await readCachedOutput({ command, folder: top, kept: file, freshMs, waitMs }, now()));
  };
  const [all, changed, logged] = await Promise.all([
    ask('listed', LISTS, LIST_FRESH_MS),
    ask('changed', CHANGES, LIST_FRESH_MS),
    ask('logged', LOG, LOG_FRESH_MS),
  ]);
  const { dirty, fresh, gone } = readStatus(changed);
  const { listed, folders } = readLists(all);
  return {
    list: listed + joinPaths(fresh).slice(1),
    folders: () => folders() + joinPaths(listFolders(dirty)).slice(1),
    has: (path) => dirty.has(path) || isInSorted(listed, path),
    gone,
    dirty,
    committed: [...new Set(entries(logged))],
  };
}

/** Called at every keystroke, so it returns bytes: decoding would take longer. */
function readFresh(file: string, freshMs: number, now: number): string | null {
  try {
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(now - writtenAt) < freshMs ? readFileSync(file, 'latin1') : null;
  } catch {
    return null;
  }
}

function readLists(output: string): { listed: string; folders: () => string } {
  const files = output.lastIndexOf('\0\0') + 1;
  const folders = () => output.slice(files).replaceAll('\0', '/\0').slice(1);
  return files === 0 ? { listed: '\0', folders: () => '\0' } : { listed: output.slice(0, files), folders };
}

function readStatus(status: string): { dirty: Set<string>; fresh: string[]; gone: Set<string> } {
  const dirty = new Set<string>();
  const gone = new Set<string>();
  const fresh: string[] = [];
  for (const entry of entries(status)) {
    const path = entry.slice(3);
    if (entry.startsWith('??')) fresh.push(path);
    if (entry[1] === 'D' || entry[0] === 'D') gone.add(path);
    else dirty.add(path);
  }
  return { dirty, fresh, gone };
}

/** Every entry ends in a NUL; one without was cut off and is dropped. */
function entries(output: string): string[] {
  return output.split('\0').slice(0, -1);
}

/** Breadth first and with a time limit: the home folder may contain anything. */
function walk({ top, until, now }: FilesRequest): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (files.length >= MOST_WALKED || now() >= until) break;
    for (const entry of listEntries(join(top, folder))) {
      if (entry.name.startsWith('.') || NEVER_WALKED.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`);
      else if (entry.isFile()) files.push(folder + entry.name);
    }
  }
  return files;
}
