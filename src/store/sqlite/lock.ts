import { openLockFile } from './open.ts';

/**
 * A lock that the kernel releases when its holder dies, however it dies: an exclusive transaction on a
 * small file. No pid is believed, nothing has to be cleaned up. @returns how to let go, or null if taken.
 */
export function tryLock(path: string, waitMs = 0): (() => void) | null {
  const file = openLockFile(path, waitMs);
  try {
    // In memory: with a journal file a full disk would look like a held lock.
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
