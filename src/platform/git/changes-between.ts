import { dirname, join } from 'node:path';
import { statIfThere } from '../files.ts';
import { findCheckout, gitFoldersOf } from './checkout.ts';
import { listMadeCommits } from './head-log.ts';
import { type Repository, repositoryAt, runGitSync } from './run.ts';

export interface TimeSpan {
  from: number;
  until: number;
}

const LIMITS = { timeoutMs: 2_000, maxBytes: 4_000_000 };
const MOST_COMMITS = 50;
const MOST_NEW_FOLDERS = 50;

/** Folders of installed or built files; a repository that does not ignore them has thousands of such files. */
const GENERATED_FOLDER =
  /(?:^|\/)(?:node_modules|vendor|bower_components|target|dist|build|out|coverage|\.?venv|__pycache__|\.[\w-]+cache)\//;
/** A new file with such a name is a by-product of a program, not part of the project. */
const BY_PRODUCT = /\.(?:log|tmp|temp|out|pid|sw[op]|bak|orig|rej|pyc)$/;

/**
 * The files of a checkout that changed in a span of time, relative to its top: committed in the span, or uncommitted
 * with a time in the span. A deleted file has no time; its folder's is used. A file that was written again after the
 * span is not listed, because its earlier changes cannot be dated. Ignored files are never listed.
 * @returns no paths outside git; answers that git does not give within two seconds are missing.
 */
export function listChangesBetween(
  folder: string,
  span: TimeSpan,
  { most, includesUncommitted = true }: { most: number; includesUncommitted?: boolean },
): { top: string; paths: string[] } {
  try {
    const top = findCheckout(folder)?.top;
    const repository = top === undefined ? null : repositoryAt(top);
    if (top === undefined || !repository) return { top: folder, paths: [] };
    const paths = [
      ...listCommitted(top, repository, span),
      ...(includesUncommitted ? listUncommitted(top, repository, span) : []),
    ];
    return { top, paths: [...new Set(paths)].slice(0, most) };
  } catch {
    // A path that no file system accepts, or a checkout that is being removed.
    return { top: folder, paths: [] };
  }
}

function listCommitted(top: string, repository: Repository, span: TimeSpan): string[] {
  const gitDir = gitFoldersOf(top)?.gitDir;
  const made = gitDir === undefined ? null : listMadeCommits(gitDir, span);
  if (made === null) return listFromHistory(repository, span);
  if (made.length === 0) return [];
  // A line `<commit> <other>` compares the commit with the other one instead of its parents.
  const lines = made.slice(-MOST_COMMITS).map(({ commit, before = '' }) => `${commit} ${before}`.trim());
  return namesIn(repository, COMPARE_COMMITS, `${lines.join('\n')}\n`);
}

const COMPARE_COMMITS = [
  ...['diff-tree', '--stdin', '-r', '--root', '--no-commit-id'],
  ...['--no-renames', '--name-only', '-z'],
];

/** Uses commit times where git keeps no readable reflog of HEAD, for example with reftable. */
function listFromHistory(repository: Repository, { from, until }: TimeSpan): string[] {
  const seconds = [`--since=${Math.floor(from / 1_000)}`, `--until=${Math.floor(until / 1_000)}`];
  const limits = ['--no-merges', '--max-count', String(MOST_COMMITS), ...seconds];
  return namesIn(repository, ['log', ...limits, '--no-renames', '--name-only', '-z', '--format=']);
}

function listUncommitted(top: string, repository: Repository, span: TimeSpan): string[] {
  const entries = namesIn(repository, STATUS).map((entry) => ({
    isNew: entry.startsWith('??'),
    path: entry.slice(3),
  }));
  const isChanged = (path: string) => hasTimeIn(span, join(top, path));
  const tracked = entries.filter(({ isNew, path }) => !isNew && isChanged(path));
  const untracked = entries.filter(({ isNew }) => isNew).map(({ path }) => path);
  const files = [
    ...untracked.filter((path) => !path.endsWith('/')),
    ...listInFolders(
      repository,
      untracked.filter((path) => path.endsWith('/')),
    ),
  ];
  return [
    ...tracked.map(({ path }) => path),
    ...files.filter((path) => !BY_PRODUCT.test(path) && isChanged(path)),
  ];
}

const STATUS = [
  ...['status', '--porcelain', '-z', '--untracked-files=normal'],
  ...['--no-renames', '--ignore-submodules=dirty'],
];

/** `git status` lists a folder that has only new files as one entry. */
function listInFolders(repository: Repository, folders: string[]): string[] {
  const own = folders.filter((path) => !GENERATED_FOLDER.test(path)).slice(0, MOST_NEW_FOLDERS);
  if (own.length === 0) return [];
  const files = namesIn(repository, [...LIST_NEW, ...own.map((path) => `:(literal)${path}`)]);
  return files.filter((path) => !path.endsWith('/') && !GENERATED_FOLDER.test(path));
}

const LIST_NEW = ['ls-files', '-z', '--others', '--exclude-standard', '--'];

function namesIn(repository: Repository, args: string[], input = ''): string[] {
  const { status, stdout } = runGitSync(repository, args, { ...LIMITS, input });
  return status === 0 ? stdout.split('\0').filter((name) => name !== '') : [];
}

/** Moving a file keeps its mtime and sets its ctime. */
function hasTimeIn({ from, until }: TimeSpan, path: string): boolean {
  const isIn = (time: number) => time >= from && time <= until;
  const file = statIfThere(path);
  if (file) return isIn(file.mtimeMs) || isIn(file.ctimeMs);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const found = statIfThere(folder);
    if (found) return isIn(found.mtimeMs);
  }
  return false;
}
