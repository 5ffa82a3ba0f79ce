import { findCheckout } from './checkout.ts';
import { repositoryAt, runGit } from './run.ts';

/** The state of a checkout that only git itself can report. */
export interface GitState {
  branch?: string;
  /** Absent before the first commit. */
  head?: string;
  /**
   * Changed, staged, deleted, conflicting or new files, relative to the top; a renamed file by both names. A folder
   * that has only new files is one entry that ends in a slash.
   */
  dirty: string[];
  moreDirty: number;
  /** Commits ahead of and behind the upstream; absent without one. */
  ahead?: number;
  behind?: number;
}

const MOST_DIRTY = 200;
/** Enough for about a million changed files. */
const MOST_BYTES = 128_000_000;

const ARGUMENTS = [
  ...['status', '--porcelain=v2', '--branch', '-z'],
  // A session leaves new files most often. Looking for them takes half as long again as the rest; `normal` avoids
  // walking through folders that have only new files (a node_modules), which could take any time.
  '--untracked-files=normal',
  // Rename detection compares contents, which a partial clone would have to fetch.
  '--no-renames',
  // Anything else starts a process for each submodule; a changed submodule commit is visible without.
  '--ignore-submodules=dirty',
];

/** Runs one git process asynchronously. @returns undefined outside git, without git, and on a timeout. */
export async function readGitState(
  folder: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<GitState | undefined> {
  try {
    const top = findCheckout(folder)?.top;
    const repository = top === undefined ? null : repositoryAt(top);
    const output = repository && (await runGit(repository, ARGUMENTS, { timeoutMs, maxBytes: MOST_BYTES }));
    return output ? parse(output) : undefined;
  } catch {
    // An invalid path, no git, or no process available.
    return undefined;
  }
}

/** See git-status(1), "Porcelain Format Version 2". A name that is not UTF-8 gets replacement characters. */
function parse(output: string): GitState {
  const lines = output.split('\0');
  const header = (name: string) => {
    const start = `# branch.${name} `;
    return lines.find((line) => line.startsWith(start))?.slice(start.length);
  };
  const branch = header('head');
  const head = header('oid');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(header('ab') ?? '') ?? [];
  const dirty = lines.flatMap(pathIn);
  return {
    ...(branch && branch !== '(detached)' && { branch }),
    ...(head && head !== '(initial)' && { head }),
    dirty: dirty.slice(0, MOST_DIRTY),
    moreDirty: Math.max(0, dirty.length - MOST_DIRTY),
    ...(ahead && behind && { ahead: Number(ahead), behind: Number(behind) }),
  };
}

/** The number of fields before the path, which may contain spaces. */
const WORDS_BEFORE: Record<string, number> = { '1': 8, u: 10, '?': 1 };

function pathIn(line: string): string[] {
  const before = WORDS_BEFORE[line[0] ?? ''];
  if (before === undefined || line[1] !== ' ') return [];
  return [line.split(' ').slice(before).join(' ')];
}
