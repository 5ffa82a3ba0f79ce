import { errorCode } from './files.ts';

/** Describes a file system error for a person; null for an error with another cause. */
export function describeFileError(error: unknown): string | null {
  const reason = REASONS[errorCode(error) ?? ''];
  if (reason === undefined) return null;
  const path = error instanceof Error && 'path' in error ? String(error.path) : '';
  return path === '' ? `${reason[0]?.toUpperCase()}${reason.slice(1)}` : `${path} cannot be used: ${reason}`;
}

export function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}

const REASONS: Record<string, string | undefined> = {
  ENOSPC: 'the disk is full. Free some space and try again.',
  EDQUOT: 'your disk quota is used up. Free some space and try again.',
  EACCES: 'permission denied. Make it and its folder readable and writable for you.',
  EPERM: 'permission denied. Make it and its folder readable and writable for you.',
  EROFS: 'it is on a read-only file system.',
};
