import { inProject } from './paths.ts';
import type { ShellStep } from './shell.ts';

/** Files that git set back to an earlier state. */
export interface GitRestore {
  place: number;
  /** In the project; `.` stands for all. */
  paths: string[];
  /** The work is still there, to be taken out again. */
  isStash: boolean;
}

interface PlacedSteps {
  steps: ShellStep[];
  place: number;
}

/**
 * What commands set back, in their order. A commit before them keeps the work, unless git is reset to an earlier one; a
 * stash that is popped again sets nothing back.
 *
 * @param since the place of the work that may be set back; -1 for work of earlier turns
 */
export function listGitRestores(runs: PlacedSteps[], folder: string, since = -1): GitRestore[] {
  const restores: GitRestore[] = [];
  let isCommitted = false;
  for (const { steps, place } of runs.filter((run) => run.place > since))
    for (const { words } of steps) {
      const [git, verb = '', ...rest] = words;
      if (git !== 'git') continue;
      if (verb === 'commit') isCommitted = true;
      if (isCommitted && !(verb === 'reset' && goesBack(rest))) continue;
      if (verb === 'stash' && (rest[0] === 'pop' || rest[0] === 'apply')) {
        const stash = restores.findLastIndex(({ isStash }) => isStash);
        if (stash >= 0) restores.splice(stash, 1);
        continue;
      }
      const paths = listRestored(verb, rest).map((path) => inProject(path, folder));
      if (paths.length > 0) restores.push({ place, paths, isStash: verb === 'stash' });
    }
  return restores;
}

export function restoresFile({ paths }: GitRestore, file: string): boolean {
  return paths.some(
    (path) => path === '.' || path === file || file.startsWith(`${path.replace(/\/$/, '')}/`),
  );
}

function listRestored(verb: string, rest: string[]): string[] {
  const paths = rest.filter((word) => !word.startsWith('-') && !/^HEAD\b/.test(word));
  if (verb === 'reset') return rest.includes('--hard') ? ['.'] : [];
  if (verb === 'stash') return listStashed(rest);
  if (verb === 'restore') {
    const isOnlyIndex = rest.some((word) => word === '--staged' || word === '-S');
    return isOnlyIndex && !rest.some((word) => word === '--worktree' || word === '-W') ? [] : paths;
  }
  // Without the dashes `git checkout main` changes the branch.
  return verb === 'checkout' && (rest.includes('--') || paths.includes('.')) ? paths : [];
}

/** “reset --hard HEAD~1”, “reset --hard origin/main” */
function goesBack(rest: string[]): boolean {
  return rest.some((word) => !word.startsWith('-') && word !== 'HEAD');
}

function listStashed(rest: string[]): string[] {
  const [action = 'push'] = rest;
  if (action !== 'push' && action !== 'save' && !action.startsWith('-')) return [];
  const dashes = rest.indexOf('--');
  return dashes >= 0 ? rest.slice(dashes + 1) : ['.'];
}
