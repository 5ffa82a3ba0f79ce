import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../read-regular-file.ts';
import { isCommitId } from './references.ts';

/** A commit that was made in a checkout, and the commit that was checked out before. */
export interface MadeCommit {
  commit: string;
  /** Undefined for the first commit of a repository. */
  before: string | undefined;
}

/** About 5,000 entries; older ones are ignored. */
const MOST_BYTES = 1_000_000;

/** `<before> <after> <name> <mail> <seconds> <zone>\t<what happened>`, see gitformat-reflog(5). */
const ENTRY = /^([0-9a-f]+) ([0-9a-f]+) .*> (\d+) [+-]\d{4}\t(.*)$/;
const MAKES_COMMIT = /^(?:commit(?: \((?:amend|initial)\))?|revert|cherry-pick):/;

/**
 * The commits made in a checkout from `from` to `until`, from its reflog of HEAD. Commits that a pull, a merge or a
 * rebase brings in are left out because they were made elsewhere or earlier; so are commits undone by a reset.
 * @returns null if git keeps no such log.
 */
export function listMadeCommits(
  gitDir: string,
  { from, until }: { from: number; until: number },
): MadeCommit[] | null {
  const log = readEnd(join(gitDir, 'logs/HEAD'));
  if (log === null) return null;
  const made: MadeCommit[] = [];
  for (const line of log.split('\n')) {
    const [, before = '', commit = '', seconds, what = ''] = ENTRY.exec(line) ?? [];
    if (seconds === undefined || !isCommitId(before) || !isCommitId(commit)) continue;
    // The log has whole seconds only.
    if (Number(seconds) < Math.floor(from / 1_000) || Number(seconds) * 1_000 > until) continue;
    if (MAKES_COMMIT.test(what)) made.push({ commit, before: /[1-9a-f]/.test(before) ? before : undefined });
    else if (what.startsWith('reset:')) takeBack(made, commit);
  }
  return made;
}

/** A reset to this commit removed all later ones. */
function takeBack(made: MadeCommit[], resetTo: string): void {
  const next = made.findIndex(({ before }) => before === resetTo);
  if (next >= 0) made.splice(next);
}

function readEnd(path: string): string | null {
  let file: number;
  try {
    file = openRegular(path);
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, MOST_BYTES);
    const end = Buffer.alloc(length);
    const count = readSync(file, end, 0, length, size - length);
    return end.toString('utf8', 0, count);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
