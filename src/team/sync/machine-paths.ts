import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Json } from '../../model/json.ts';

/** What identifies paths of this machine. */
export interface MachinePaths {
  /** The tops of the project's checkouts: paths below them are relative to the project. */
  tops: string[];
  /** Top-level folders whose paths are specific to a machine. */
  roots: ReadonlySet<string>;
}

export const OUTSIDE = '(a path outside the project)';

/** Folders that are the same on every machine, and reveal nothing about this one. */
const COMMON = new Set(['bin', 'boot', 'dev', 'etc', 'lib', 'lib32', 'lib64', 'proc', 'sbin', 'sys', 'usr']);
/** Usual folders of other machines, whose paths may be in copied text. */
const USUAL = [
  ...['home', 'Users', 'root', 'tmp', 'private', 'var', 'mnt', 'media', 'Volumes', 'srv', 'opt', 'run'],
  ...['workspace', 'workspaces', 'builds', 'runner'],
];

const PATH =
  /(?<![\w:/.~\\-])(?:file:\/\/)?(?:~(?=\/)|(?=\/\w)|[A-Za-z]:(?=[\\/])|(?=\\\\\w))[\\/][^\s"'`<>|()[\]{},;*?]*[^\s"'`<>|()[\]{},;*?.:]/g;

/** Usual top-level folders and those of this machine, without the common ones. */
export function findRoots(): ReadonlySet<string> {
  return new Set([...USUAL, ...listTop().filter((name) => !COMMON.has(name))]);
}

function listTop(): string[] {
  try {
    return readdirSync('/');
  } catch {
    return [];
  }
}

/** `folders`: git directories or folders of a project. */
export function findTops(folders: string[]): string[] {
  return folders
    .map((folder) => (basename(folder) === '.git' ? dirname(folder) : folder))
    .sort((one, other) => other.length - one.length);
}

/** Removes paths of this machine from all texts of a value. */
export function stripPaths<T>(value: T, machine: MachinePaths): T {
  return stripJson(value as Json, machine) as T;
}

function stripJson(value: Json, machine: MachinePaths): Json {
  if (typeof value === 'string') return stripText(value, machine);
  if (Array.isArray(value)) return value.map((part) => stripJson(part, machine));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, stripJson(part, machine)]));
}

function stripText(text: string, { tops, roots }: MachinePaths): string {
  return text.replace(PATH, (found) => {
    const path = found.replace(/^file:\/\//, '').replaceAll('\\', '/');
    const top = tops.map((folder) => folder.replaceAll('\\', '/')).find((folder) => isBelow(path, folder));
    if (top !== undefined) return path.slice(top.length + 1) || '.';
    const first = /^\/([^/]+)/.exec(path)?.[1];
    return first !== undefined && !roots.has(first) ? found : OUTSIDE;
  });
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
