import { dirname, isAbsolute, join, resolve } from 'node:path';
import { realPath, statIfThere } from '../files.ts';
import { doesFolderAnswer } from '../folder-answers.ts';
import { readRegularText } from '../read-regular-file.ts';
import { isTrusted } from './owner.ts';
import { commitOfReference, type GitFolders, readHead } from './references.ts';

/** A folder's checkout, read from git's files: starting `git` would take longer than the rest of a hook. */
export interface GitCheckout {
  /** The top folder of this checkout or worktree. */
  top: string;
  /** Shared by a repository and all its worktrees. */
  commonDir: string;
  isWorktree: boolean;
  branch?: string;
  remote?: string;
}

/** Git itself reads no larger `.git` file. */
const MOST_POINTER_BYTES = 1_000_000;
const MOST_CONFIG_BYTES = 1_000_000;

/**
 * The checkout that contains `folder`, which may itself be deleted (a removed worktree). A `.git` of another user is
 * ignored, and so is a folder whose disk does not answer. Every lookup of a folder's project starts here.
 */
export function findCheckout(folder: string): GitCheckout | null {
  if (!doesFolderAnswer(folder)) return null;
  for (let top = resolve(folder); ; top = dirname(top)) {
    const folders = gitFoldersOf(top);
    if (folders) return describeCheckout(realPath(top), folders);
    if (top === dirname(top)) return null;
  }
}

interface CheckoutFolders extends GitFolders {
  isWorktree: boolean;
}

/** Null if this folder is not the top of a checkout, or the checkout is not trusted. */
export function gitFoldersOf(top: string): CheckoutFolders | null {
  const dotGit = join(top, '.git');
  const kind = statIfThere(dotGit);
  const gitDir = kind?.isDirectory() ? dotGit : kind?.isFile() ? pointerIn(dotGit) : null;
  if (gitDir === null || !answers(gitDir, top)) return null;
  if (gitDir === dotGit && readRegularText(join(dotGit, 'HEAD'), { maxBytes: MOST_POINTER_BYTES }) === null)
    return null;
  const common = readRegularText(join(gitDir, 'commondir'), { maxBytes: MOST_POINTER_BYTES })?.trim();
  const named = common ? (isAbsolute(common) ? common : join(gitDir, common)) : gitDir;
  if (!answers(named, top)) return null;
  const commonDir = realPath(named);
  if (!isTrusted(realPath(top), [top, dotGit, gitDir, commonDir])) return null;
  return { gitDir, commonDir, isWorktree: common !== undefined };
}

/** A worktree may be on a different disk from its repository. */
function answers(gitDir: string, top: string): boolean {
  return gitDir.startsWith(top) || doesFolderAnswer(gitDir);
}

function pointerIn(dotGit: string): string | null {
  const text = readRegularText(dotGit, { maxBytes: MOST_POINTER_BYTES }) ?? '';
  const pointer = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
  return pointer ? resolve(dirname(dotGit), pointer) : null;
}

function describeCheckout(top: string, { gitDir, commonDir, isWorktree }: CheckoutFolders): GitCheckout {
  const head = readHead(gitDir);
  const branch = head && 'reference' in head && /^refs\/heads\/(.+)$/.exec(head.reference)?.[1];
  const remote = originOf(readRegularText(join(commonDir, 'config'), { maxBytes: MOST_CONFIG_BYTES }) ?? '');
  return { top, commonDir, isWorktree, ...(branch && { branch }), ...(remote && { remote }) };
}

/** The commit that is checked out, from git's files, including packed references. */
export function headCommit(folder: string): string | undefined {
  const top = findCheckout(folder)?.top;
  const folders = top === undefined ? null : gitFoldersOf(top);
  const head = folders && readHead(folders.gitDir);
  if (!head) return undefined;
  return 'commit' in head ? head.commit : commitOfReference(folders, head.reference);
}

/** Git's blob hash of this content. node:crypto takes 6 ms to load, and few hooks need it. */
export function blobHash(content: Buffer): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** A longer text is not an address, and matching it would take quadratic time. */
const LONGEST_REMOTE = 4_096;

/** Matches line by line: one pattern for the whole file takes a minute for 100 kB of empty lines. */
function originOf(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) isOrigin = text === '[remote "origin"]';
    if (!isOrigin || text.length > LONGEST_REMOTE) continue;
    const url = /^url\s*=\s*(.+)$/.exec(text)?.[1];
    if (url) return normaliseRemote(url);
  }
  return undefined;
}

/** The same repository by https, ssh or scp form, with or without credentials, is the same remote. */
export function normaliseRemote(url: string): string {
  const trimmed = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const asUrl = /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(trimmed);
  if (asUrl) return `${asUrl[1]?.toLowerCase()}/${asUrl[2]}`;
  const asScp = /^(?:[^/@]+@)?([^/:]+):(?!\/\/)\/*(.+)$/.exec(trimmed);
  if (asScp && (asScp[1]?.length ?? 0) > 1) return `${asScp[1]?.toLowerCase()}/${asScp[2]}`;
  return trimmed;
}
