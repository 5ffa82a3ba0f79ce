import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** What a folder's git says of it, read from its files: starting `git` would cost a hook more than the rest of it. */
export interface GitCheckout {
  /** The top folder of this checkout: of the worktree, where it is one. */
  top: string;
  /** Shared by a repository and all its worktrees. */
  commonDir: string;
  isWorktree: boolean;
  branch?: string;
  remote?: string;
}

/** The checkout that holds `folder`, which itself may be gone (a deleted worktree): its parents still tell. */
export function findCheckout(folder: string): GitCheckout | null {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const gitDir = gitDirOf(top);
    if (gitDir) return describeCheckout(real(top), gitDir);
    if (top === dirname(top)) return null;
  }
}

/** Of this checkout alone: a worktree has one of its own. */
export function gitDirOf(top: string): string | null {
  const dotGit = join(top, '.git');
  const kind = statSync(dotGit, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return readText(join(dotGit, 'HEAD')) === null ? null : dotGit;
  if (!kind?.isFile()) return null;
  const pointer = /^gitdir: (.+)$/m.exec(readText(dotGit) ?? '')?.[1]?.trim();
  return pointer ? resolve(top, pointer) : null;
}

function describeCheckout(top: string, gitDir: string): GitCheckout {
  const common = readText(join(gitDir, 'commondir'))?.trim();
  const commonDir = real(common ? (isAbsolute(common) ? common : join(gitDir, common)) : gitDir);
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(readText(join(gitDir, 'HEAD')) ?? '')?.[1]?.trim();
  const remote = originOf(readText(join(commonDir, 'config')) ?? '');
  return {
    top,
    commonDir,
    isWorktree: common !== undefined,
    ...(branch && { branch }),
    ...(remote && { remote }),
  };
}

/** The commit that is checked out, from git's files; packed references included. */
export function headCommit(folder: string): string | undefined {
  const top = findCheckout(folder)?.top;
  const gitDir = top && gitDirOf(top);
  if (!gitDir) return undefined;
  const head = (readText(join(gitDir, 'HEAD')) ?? '').trim();
  const reference = /^ref: (.+)$/.exec(head)?.[1];
  if (!reference) return head || undefined;
  const commonDir = describeCheckout(top, gitDir).commonDir;
  const loose = readText(join(gitDir, reference)) ?? readText(join(commonDir, reference));
  if (loose) return loose.trim();
  const packed = readText(join(commonDir, 'packed-refs')) ?? '';
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${reference}`))
    ?.split(' ')[0];
}

/** What git itself calls this content. Few hooks ask, and all would wait for the module: it takes 6 ms to load. */
export function blobHash(content: Buffer): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function originOf(config: string): string | undefined {
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(config)?.[1];
  const url = section && /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1];
  return url ? normaliseRemote(url) : undefined;
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

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
