import {
  closeSync,
  constants,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSessionFileName } from '../model/session.ts';
import {
  errorCode,
  isMissing,
  makePrivateFolder,
  PRIVATE_FILE,
  readIfThere,
  writeAtomically,
  writeWhole,
} from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/** Recent files without an end mark may still be being written. */
const TORN_AFTER_MS = 60_000;
/** Torn files are deleted after this time. */
const TORN_KEPT_MS = 7 * 86_400_000;

const FORMAT = 'cairn1';

export interface SpoolHeader {
  agent: string;
  hook: string;
  via: string;
  projectDir?: string;
}

export interface SpoolFile extends SpoolHeader {
  name: string;
  at: number;
  payload: Buffer;
}

/** Does the same as capture.sh, for systems without a shell and for answering hooks. @returns the file's name. */
export function writeSpoolFile(
  paths: Paths,
  { agent, hook, via, projectDir = '' }: SpoolHeader,
  session: string | undefined,
  payload: Uint8Array,
): string {
  const owner = session && isSessionFileName(session) ? session : 'none';
  const name = `${owner}.${newId()}`;
  const dir = projectDir.includes('\n') ? '' : projectDir;
  const words = [agent, hook, via].map((word) => word.replace(/[^\w.-]/g, '_').slice(0, 100) || '_');
  const path = join(paths.spool, name);
  const file = openNew(paths, path);
  try {
    writeWhole(
      file,
      Buffer.concat([Buffer.from(`${FORMAT} ${words.join(' ')} ${dir}\n`), payload, endMark(name)]),
    );
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return name;
}

/** @returns the error that prevents writing to the spool, if any. */
export function trySpool(paths: Paths): unknown {
  const path = join(paths.spool, `${newId()}-probe`);
  try {
    closeSync(openNew(paths, path));
    rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The same source as capture.sh, if available: loading node:crypto costs a hook 5 ms. */
function newId(): string {
  const id = readIfThere('/proc/sys/kernel/random/uuid')?.trim();
  return id || process.getBuiltinModule('node:crypto').randomUUID();
}

function openNew(paths: Paths, path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    return openSync(path, flags, PRIVATE_FILE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    makePrivateFolder(paths.spool);
    return openSync(path, flags, PRIVATE_FILE);
  }
}

/** The names of pending files, unordered. */
export function listSpool(paths: Paths): string[] {
  try {
    return readdirSync(paths.spool).filter((name) => name.includes('.'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** At most this many names: with thousands of files, listing all takes a hook 5 ms. */
export function peekSpool(paths: Paths, most: number): string[] {
  const names: string[] = [];
  try {
    const folder = opendirSync(paths.spool);
    try {
      for (let entry = folder.readSync(); entry && names.length < most; entry = folder.readSync())
        if (entry.name.includes('.')) names.push(entry.name);
    } finally {
      folder.closeSync();
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return names;
}

export interface WaitingFile {
  name: string;
  at: number;
  size: number;
}

/** In chronological order. A file that cannot be read is left out. */
export function sortByTime(paths: Paths, names: string[]): WaitingFile[] {
  const waiting: WaitingFile[] = [];
  for (const name of names) {
    const stats = statIfPossible(join(paths.spool, name));
    if (stats?.isFile()) waiting.push({ name, at: stats.mtimeMs, size: stats.size });
  }
  return waiting.sort((a, b) => a.at - b.at);
}

function statIfPossible(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * `torn`: will never get its end mark. `too large`: larger than any hook payload. `unreadable`: belongs to another
 * user, as after `sudo`. `null`: still being written, or already removed.
 */
export type SpoolRead = SpoolFile | 'torn' | 'too large' | 'unreadable' | null;

/** V8 limits strings to 512 MiB, so a larger payload cannot be parsed. */
const LARGEST_FILE = 500 * 1024 * 1024;

export function readSpoolFile(paths: Paths, name: string, now: number): SpoolRead {
  let file: number;
  try {
    file = openSync(join(paths.spool, name), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return null;
    if (isOutOfResources(error)) throw error;
    return 'unreadable';
  }
  try {
    const { mtimeMs: at, size } = fstatSync(file);
    if (size > LARGEST_FILE) return 'too large';
    const bytes = readFileSync(file);
    return parseSpoolFile(name, at, bytes) ?? (now - at > TORN_AFTER_MS ? 'torn' : null);
  } catch (error) {
    if (isOutOfResources(error)) throw error;
    return 'unreadable';
  } finally {
    closeSync(file);
  }
}

/** With these errors every file would fail, not only this one. */
function isOutOfResources(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(errorCode(error) ?? '');
}

export function parseSpoolFile(name: string, at: number, bytes: Buffer): SpoolFile | null {
  const end = endMark(name);
  if (bytes.length < end.length || !bytes.subarray(-end.length).equals(end)) return null;
  const headerEnd = bytes.indexOf('\n');
  const [format, agent, hook, via, ...dir] = bytes.toString('utf8', 0, headerEnd).split(' ');
  if (format !== FORMAT || !agent || !hook || !via) return null;
  const projectDir = dir.join(' ');
  const payload = bytes.subarray(headerEnd + 1, bytes.length - end.length);
  return { name, at, agent, hook, via, payload, ...(projectDir && { projectDir }) };
}

function endMark(name: string): Buffer {
  return Buffer.from(`\n#${name}\n`);
}

/** @returns whether it is removed. A file that stays (an immutable one, say) is recognised by its name next time. */
export function removeSpoolFile(paths: Paths, name: string): boolean {
  try {
    unlinkSync(join(paths.spool, name));
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/** Files set aside are shown by doctor and kept for a week; larger ones are not worth keeping. */
const LONGEST_TORN = 1024 * 1024;

/**
 * Moves a file that cannot be ingested out of the spool, with its text cleaned as far as unstructured text can be.
 * @returns whether it is no longer in the spool.
 */
export function setSpoolFileAside(paths: Paths, name: string, clean: (text: string) => string): boolean {
  const from = join(paths.spool, name);
  try {
    const { atime, mtime } = statSync(from);
    writeAtomically(join(paths.torn, name), clean(readHead(from)));
    utimesSync(join(paths.torn, name), atime, mtime);
    rmSync(from, { force: true });
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

function readHead(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, LONGEST_TORN));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

export function listTornFiles(paths: Paths): string[] {
  try {
    return readdirSync(paths.torn);
  } catch {
    return [];
  }
}

export function removeOldTornFiles(paths: Paths, now: number): void {
  for (const name of listTornFiles(paths)) {
    const path = join(paths.torn, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > TORN_KEPT_MS) rmSync(path, { force: true });
  }
}
