import { join } from 'node:path';
import { readRegularFile, readRegularText } from '../read-regular-file.ts';

/** Git writes less than 100 bytes. */
const MOST_REFERENCE_BYTES = 4_096;
/** Enough for a million references. */
const MOST_PACKED_BYTES = 100_000_000;

/** The checkout's own git directory, and the one it shares with other worktrees. */
export interface GitFolders {
  gitDir: string;
  commonDir: string;
}

/** See git-check-ref-format(1). Such a name stays in `refs/`, and git does not take it for an option or expression. */
export function isReferenceName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git allows none in a name.
  return /^refs\/[^\u0000- ~^:?*[\\\u007f]+$/.test(name) && !/\.\.|@\{|\/\/|\/\.|\.$|\/$|\.lock$/.test(name);
}

export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** The reference or commit that is checked out. Null if HEAD holds neither. */
export function readHead(gitDir: string): { reference: string } | { commit: string } | null {
  const text = readRegularText(join(gitDir, 'HEAD'), { maxBytes: MOST_REFERENCE_BYTES })?.trim() ?? '';
  const reference = /^ref:\s*(.+)$/.exec(text)?.[1];
  if (reference !== undefined) return isReferenceName(reference) ? { reference } : null;
  return isCommitId(text) ? { commit: text } : null;
}

/** The commit of a reference, loose or packed. */
export function commitOfReference({ gitDir, commonDir }: GitFolders, reference: string): string | undefined {
  if (!isReferenceName(reference)) return undefined;
  const commits = [...new Set([gitDir, commonDir])].map((folder) =>
    readRegularText(join(folder, reference), { maxBytes: MOST_REFERENCE_BYTES })?.trim(),
  );
  return commits.find((text) => text && isCommitId(text)) ?? packedCommit(commonDir, reference);
}

/** Each line is `<commit> <reference>`. */
function packedCommit(commonDir: string, reference: string): string | undefined {
  const packed = readRegularFile(join(commonDir, 'packed-refs'), { maxBytes: MOST_PACKED_BYTES });
  const at = packed?.indexOf(` ${reference}\n`) ?? -1;
  if (!packed || at === -1) return undefined;
  const commit = packed.toString('latin1', packed.lastIndexOf('\n', at) + 1, at);
  return isCommitId(commit) ? commit : undefined;
}
