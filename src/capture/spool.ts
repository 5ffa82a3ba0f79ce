import {
  closeSync,
  constants,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { isMissing, makePrivateFolder, PRIVATE_FILE, readIfThere, writeWhole } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/** Young files without their end mark may still be written. */
const TORN_AFTER_MS = 60_000;
/** Torn files are not redacted, so they do not stay for ever. */
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

/** What capture.sh does, for systems without a shell and for events that answer. @returns the file's name. */
export function writeSpoolFile(
  paths: Paths,
  { agent, hook, via, projectDir = '' }: SpoolHeader,
  session: string | undefined,
  payload: Uint8Array,
): string {
  const owner = session && /^[0-9A-Za-z-]{1,40}$/.test(session) ? session : 'none';
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

/** From where capture.sh takes it too, if it is there: loading node's own source of it costs a hook 5 ms. */
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

/** The names of waiting files, in no order. */
export function listSpool(paths: Paths): string[] {
  try {
    return readdirSync(paths.spool).filter((name) => name.includes('.'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** At most this many of the names: with thousands of files, a list of all takes a hook 5 ms. */
export function glimpseSpool(paths: Paths, most: number): string[] {
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

export interface Waiting {
  name: string;
  at: number;
  size: number;
}

/** In the order in which they happened. */
export function inTimeOrder(paths: Paths, names: string[]): Waiting[] {
  const waiting: Waiting[] = [];
  for (const name of names) {
    const stats = statSync(join(paths.spool, name), { throwIfNoEntry: false });
    if (stats?.isFile()) waiting.push({ name, at: stats.mtimeMs, size: stats.size });
  }
  return waiting.sort((a, b) => a.at - b.at);
}

/** `torn`: it has no end mark and never will. `null`: it is still being written, or gone already. */
export function readSpoolFile(paths: Paths, name: string, now: number): SpoolFile | 'torn' | null {
  let file: number;
  try {
    file = openSync(join(paths.spool, name), 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const bytes = readFileSync(file);
    const at = fstatSync(file).mtimeMs;
    return parse(name, at, bytes) ?? (now - at > TORN_AFTER_MS ? 'torn' : null);
  } finally {
    closeSync(file);
  }
}

function parse(name: string, at: number, bytes: Buffer): SpoolFile | null {
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

export function removeSpoolFile(paths: Paths, name: string): void {
  try {
    unlinkSync(join(paths.spool, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Out of the way of the rest, kept for a week, shown by doctor. */
export function setAside(paths: Paths, name: string): void {
  makePrivateFolder(paths.torn);
  try {
    renameSync(join(paths.spool, name), join(paths.torn, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

export function listTorn(paths: Paths): string[] {
  try {
    return readdirSync(paths.torn);
  } catch {
    return [];
  }
}

export function removeOldTorn(paths: Paths, now: number): void {
  for (const name of listTorn(paths)) {
    const path = join(paths.torn, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > TORN_KEPT_MS) rmSync(path, { force: true });
  }
}
