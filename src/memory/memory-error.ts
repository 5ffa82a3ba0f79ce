import { describeFileError, isFullDisk } from '../platform/file-error.ts';
import { errorCode } from '../platform/files.ts';
import { isStoreError, type StoreErrorCode } from '../store/store-error.ts';

/** Why the memory cannot be opened or written. `unusable-folder`: a missing folder, an I/O error and the like. */
export type MemoryErrorKind = StoreErrorCode | 'no-access' | 'unusable-folder' | 'unknown';

export function classifyMemoryError(error: unknown): MemoryErrorKind {
  if (isStoreError(error)) return error.code;
  const code = errorCode(error);
  if (code === 'EROFS') return 'read-only';
  if (code === 'EACCES' || code === 'EPERM') return 'no-access';
  return isFileSystemCode(code) ? 'unusable-folder' : 'unknown';
}

/** Whether stored data can still be read, possibly after a retry. */
export function isReadable(error: unknown): boolean {
  return ['busy', 'full-disk', 'read-only', 'no-access'].includes(classifyMemoryError(error));
}

/** A short text for a person; the errors' own messages are longer. */
export function describeMemoryError(error: unknown): string {
  switch (classifyMemoryError(error)) {
    case 'busy':
      return 'the database is busy.';
    case 'full-disk':
      return 'the disk is full.';
    case 'read-only':
      return 'the database is read-only.';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

export class UnusableHomeError extends Error {
  override name = 'UnusableHomeError';
}

/** Opens something in the home. @throws UnusableHomeError for errors of the file system. */
export function openInHome<T>(home: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = errorCode(error);
    if (!isFileSystemCode(code)) throw error;
    if (code === 'EROFS')
      throw new UnusableHomeError(`Cairn cannot write to ${home}: it is on a read-only file system.`);
    if (isFullDisk(error)) throw new UnusableHomeError(`${describeFileError(error)}`);
    throw new UnusableHomeError(
      `Cairn cannot use its folder ${home} (${code}). Make it a folder of your own, or set CAIRN_HOME to another one.`,
    );
  }
}

/** SQLite's own codes begin with ERR_. */
function isFileSystemCode(code: string | undefined): boolean {
  return code !== undefined && /^E(?!RR_)[A-Z]+$/.test(code);
}
