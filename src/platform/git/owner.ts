import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { errorCode } from '../files.ts';
import { readRegularText } from '../read-regular-file.ts';
import { parseConfig } from './config-file.ts';
import { configFilesOfPerson, homeOfPerson, sudoUid } from './environment.ts';

const MOST_CONFIG_BYTES = 1_000_000;

/**
 * Whether a repository may be used at all, by git's own rule: all its parts belong to the person who runs Cairn, or
 * the person has listed its folder as safe.directory. Otherwise any user who can write to a parent folder
 * (`/tmp/.git`) could decide which project a folder belongs to and what git says about it.
 */
export function isTrusted(folder: string, parts: string[]): boolean {
  const users = currentUsers();
  if (users === null || parts.every((path) => belongsTo(users, path))) return true;
  return isSafeDirectory(folder);
}

/** Null on Windows, which has no user ids. */
function currentUsers(): number[] | null {
  const uid = process.geteuid?.();
  if (uid === undefined) return null;
  const sudo = uid === 0 ? sudoUid() : undefined;
  return sudo === undefined ? [uid] : [uid, sudo];
}

/** For a link, both the link and its target count. A missing path passes: there is nothing to read. */
function belongsTo(users: number[], path: string): boolean {
  try {
    const isOurs = ({ uid }: Stats) => users.includes(uid);
    const entry = lstatSync(path);
    return isOurs(entry) && (!entry.isSymbolicLink() || isOurs(statSync(path)));
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
  }
}

/**
 * See safe.directory in git-config(1). Read only from the person's and the machine's configuration, never from the
 * repository's, and without includes.
 */
function isSafeDirectory(folder: string): boolean {
  const values = configFilesOfPerson()
    .flatMap((file) => parseConfig(readRegularText(file, { maxBytes: MOST_CONFIG_BYTES }) ?? '') ?? [])
    .filter(({ section, key }) => section === 'safe' && key === 'directory')
    .map(({ value }) => value);
  // An empty value resets the previous ones.
  return values.slice(values.lastIndexOf('') + 1).some((value) => isMeant(folder, value));
}

function isMeant(folder: string, value: string): boolean {
  if (value === '*') return true;
  const expanded = value.startsWith('~/') ? join(homeOfPerson() ?? '', value.slice(2)) : value;
  if (expanded.endsWith('/*')) return folder.startsWith(resolveLinks(expanded.slice(0, -2)) + sep);
  return resolveLinks(expanded) === folder;
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
