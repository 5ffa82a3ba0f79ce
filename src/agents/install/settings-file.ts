import { randomBytes } from 'node:crypto';
import * as nodeFiles from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, isMissing, makePrivateFolder, PRIVATE_FILE, writeWhole } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import { InvalidJsonError } from './json-text.ts';
import { NotPlainJsonError } from './plain-json.ts';

/** A settings file that belongs to the user and to other programs; read and replaced as a whole. */
export interface SettingsFile {
  /** The path that the user knows. */
  path: string;
  /** The real path, because a linked settings file must stay a link. */
  target: string;
  text: string | null;
}

/** A file that cannot be read or written, and what to do. */
export class SettingsError extends Error {
  /** Advice without "Nothing was changed", because files of other agents may have been changed. */
  readonly advice: string;

  constructor(problem: string, fix: string, outcome = 'Nothing was changed. ') {
    super(`${problem}. ${outcome}${fix}`);
    this.advice = `${problem}. ${fix}`;
  }
}

export type FileOperations = Pick<typeof nodeFiles, 'openSync' | 'fsyncSync' | 'renameSync' | 'unlinkSync'>;

export function readSettings(path: string): SettingsFile {
  return withAdvice(path, 'read', () => {
    const target = followLinks(path);
    return { path, target, text: readText(path, target) };
  });
}

/** False if another process changed the file since it was read: read it again and retry. */
export function replaceSettings(
  file: SettingsFile,
  text: string,
  files: FileOperations = nodeFiles,
): boolean {
  return withAdvice(file.path, 'written', () => {
    const folders = findMissingFolders(file.target);
    try {
      const old = nodeFiles.statSync(file.target, { throwIfNoEntry: false });
      if (old) refuseReadOnly(file, old.mode);
      makePrivateFolder(dirname(file.target));
      const done = writeDraftAndRename(file, text, old, files);
      if (!done) removeEmptyFolders(folders);
      return done;
    } catch (error) {
      removeEmptyFolders(folders);
      throw error;
    }
  });
}

/** Throws if the file could not be replaced. All files are checked before the first is written. */
export function refuseUnwritable(file: SettingsFile): void {
  withAdvice(file.path, 'written', () => {
    const old = nodeFiles.statSync(file.target, { throwIfNoEntry: false });
    if (old) refuseReadOnly(file, old.mode);
    const [outermost = file.target] = findMissingFolders(file.target);
    nodeFiles.accessSync(dirname(outermost), nodeFiles.constants.W_OK);
  });
}

/** Like `replaceSettings`, for a file that Cairn had created. */
export function deleteSettings(file: SettingsFile, files: FileOperations = nodeFiles): boolean {
  return withAdvice(file.path, 'removed', () => {
    if (readText(file.path, file.target) !== file.text) return false;
    files.unlinkSync(file.target);
    return true;
  });
}

/** The folders to create for the file, outermost first. */
export function findMissingFolders(target: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(target); !nodeFiles.existsSync(folder); folder = dirname(folder)) {
    if (folder === dirname(folder)) break;
    folders.unshift(folder);
  }
  return folders;
}

export function removeEmptyFolders(folders: string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      nodeFiles.rmdirSync(folder);
    } catch (error) {
      if (!isMissing(error)) return;
    }
  }
}

function writeDraftAndRename(
  file: SettingsFile,
  text: string,
  old: nodeFiles.Stats | undefined,
  files: FileOperations,
): boolean {
  const folder = dirname(file.target);
  const draft = join(folder, `.${basename(file.target)}.${randomBytes(6).toString('hex')}.cairn`);
  try {
    const handle = files.openSync(draft, 'wx', PRIVATE_FILE);
    try {
      writeWhole(handle, Buffer.from(text));
      if (old) keepOwnerAndMode(handle, old);
      files.fsyncSync(handle);
    } finally {
      nodeFiles.closeSync(handle);
    }
    if (readText(file.path, file.target) !== file.text) return false;
    files.renameSync(draft, file.target);
    return true;
  } finally {
    nodeFiles.rmSync(draft, { force: true });
  }
}

function keepOwnerAndMode(handle: number, old: nodeFiles.Stats): void {
  const fresh = nodeFiles.fstatSync(handle);
  if (fresh.uid !== old.uid || fresh.gid !== old.gid) nodeFiles.fchownSync(handle, old.uid, old.gid);
  nodeFiles.fchmodSync(handle, old.mode & 0o7777);
}

/** A rename would replace a read-only file, which was probably made read-only on purpose. */
function refuseReadOnly(file: SettingsFile, mode: number): void {
  if ((mode & 0o222) === 0) {
    throw new SettingsError(
      `${file.path} is read-only`,
      'Make it writable (chmod u+w) and run this again; ' +
        'if another program manages this file, make the change that --dry-run shows there.',
    );
  }
  nodeFiles.accessSync(file.target, nodeFiles.constants.W_OK);
}

function readText(path: string, target: string): string | null {
  const kind = nodeFiles.statSync(target, { throwIfNoEntry: false });
  if (kind && !kind.isDirectory() && (!kind.isFile() || kind.size > CONFIG_LIMIT.maxBytes))
    throw new SettingsError(`${path} is not a text file`, 'Move or remove it and run this again.');
  let bytes: Uint8Array | null;
  try {
    bytes = kind?.isFile() ? readRegularIfThere(target, CONFIG_LIMIT) : nodeFiles.readFileSync(target);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SettingsError(`${path} is not UTF-8 text`, 'Save it as UTF-8 and run this again.');
  }
}

/** Follows links even if the target does not exist yet. */
function followLinks(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < 40; links += 1) {
    const kind = nodeFiles.lstatSync(target, { throwIfNoEntry: false });
    if (!kind?.isSymbolicLink()) {
      const folder = dirname(target);
      return nodeFiles.existsSync(folder) ? join(nodeFiles.realpathSync(folder), basename(target)) : target;
    }
    target = resolve(dirname(target), nodeFiles.readlinkSync(target));
  }
  throw new SettingsError(`${path} is a link that leads back to itself`, 'Remove the link.');
}

function withAdvice<T>(path: string, action: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const cure = findCure(error);
    if (cure) throw new SettingsError(`${path} cannot be ${action}: ${cure.reason}`, cure.fix);
    throw error;
  }
}

/** Why a file cannot be accessed, and what the person can do; undefined for an error with another cause. */
export function findCure(error: unknown): { reason: string; fix: string } | undefined {
  return CURES[errorCode(error) ?? ''];
}

const A_FILE = { reason: 'a part of this path is a file, not a folder', fix: 'Move or remove that file.' };

const CURES: Record<string, { reason: string; fix: string } | undefined> = {
  EACCES: {
    reason: 'permission denied',
    fix: 'Make the file and its folder readable and writable for you, or run this as their owner.',
  },
  EPERM: { reason: 'it belongs to another user or is protected', fix: 'Run this as its owner.' },
  EROFS: {
    reason: 'it is on a read-only file system',
    fix: 'If another program manages it, make the change that --dry-run shows there.',
  },
  ENOSPC: { reason: 'the disk is full', fix: 'Free some space and run this again.' },
  EDQUOT: { reason: 'your disk quota is used up', fix: 'Free some space and run this again.' },
  ENOTDIR: A_FILE,
  ELOOP: { reason: 'it is a link that leads back to itself', fix: 'Remove the link.' },
  ERR_ENCODING_INVALID_ENCODED_DATA: { reason: 'it is not UTF-8 text', fix: 'Save it as UTF-8.' },
  EISDIR: { reason: 'it is a folder', fix: 'Move or remove that folder.' },
  EEXIST: A_FILE,
};

export function describeProblem(path: string, error: unknown): unknown {
  if (!(error instanceof InvalidJsonError)) return error;
  if (error instanceof NotPlainJsonError)
    return new SettingsError(
      `${path}:${error.line}:${error.column}: ${error.message}: the agent ignores the whole file`,
      'To remove comments and trailing commas, add --fix-settings; with --dry-run too, it only shows the change.',
    );
  return new SettingsError(
    `${path}:${error.line}:${error.column}: ${error.message}`,
    'Correct this place and run this again.',
  );
}
