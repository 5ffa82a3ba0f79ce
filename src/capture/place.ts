import { basename, dirname } from 'node:path';
import type { Place } from '../model/project.ts';
import { realPath } from '../platform/files.ts';
import { findCheckout, type GitCheckout } from '../platform/git/checkout.ts';

/** The project of a folder: its repository, independent of the folder's name, or the folder itself. */
export function findPlace(folder: string, checkout = findCheckoutOf(folder)): Place {
  if (!checkout) {
    const path = realPath(folder);
    return { path, name: basename(path) || path };
  }
  const { commonDir, top, branch, remote, isWorktree } = checkout;
  const repository = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return {
    path: commonDir,
    name: basename(isWorktree ? repository : top).replace(/\.git$/, '') || top,
    ...(remote && { remote }),
    ...(branch && { branch }),
    ...(isWorktree && { worktree: top }),
  };
}

/** An invalid path (with a NUL, or too long) is in no checkout. */
export function findCheckoutOf(folder: string): GitCheckout | null {
  try {
    return findCheckout(folder);
  } catch {
    return null;
  }
}
