import { openLockFile } from './open.ts';

/**
 * A lock that the kernel releases when its holder dies for any reason: an exclusive transaction on a small file.
 * It needs no pid file and no cleanup. @returns a function that releases it, or null if it is held.
 */
export function tryLock(path: string, waitMs = 0): (() => void) | null {
  const file = openLockFile(path, waitMs);
  try {
    // Journal in memory: a journal file that cannot be written on a full disk would look like a held lock.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    file.close();
    return null;
  }
  return () => {
    file.exec('ROLLBACK');
    file.close();
  };
}
