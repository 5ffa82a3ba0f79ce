/**
 * - `busy`: another process is writing; the same call may succeed later.
 * - `full-disk`: the disk is full, or has failed to read or write the file.
 * - `damaged`: the file cannot be read as a database.
 * - `newer`: the file was written by a newer Cairn, or by one from before the first release. It was not changed.
 * - `read-only`: the file, its folder or its disk may not be written, or it was opened for reading.
 */
export type StoreErrorCode = 'busy' | 'full-disk' | 'damaged' | 'newer' | 'read-only';

/** The errors that callers handle. Every other error of the store is a bug. */
export class StoreError extends Error {
  override name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Without codes, accepts any StoreError. */
export function isStoreError(error: unknown, ...codes: StoreErrorCode[]): error is StoreError {
  return error instanceof StoreError && (codes.length === 0 || codes.includes(error.code));
}
