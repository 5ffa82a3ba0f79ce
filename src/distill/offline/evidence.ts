import type { Turn } from '../turn.ts';
import { type Commit, findCommits, isInterim } from './calls/commits.ts';
import { collectEdits, type FileEdit } from './calls/edits.ts';
import { findPackageChanges, type PackageChange } from './calls/packages.ts';
import { inProject } from './calls/paths.ts';
import { findLastFailing, findRepairs, type Repair } from './calls/repairs.ts';
import { findKeptEdits, findLastRevert } from './calls/reverted-edits.ts';
import { collectRuns, type Run } from './calls/runs.ts';
import { shorten } from './text/shorten.ts';

/** What the calls of a turn prove, whatever was said about them. */
export interface Evidence {
  runs: Run[];
  /** Edits that were still there at the end. */
  edits: FileEdit[];
  /** Edits were made and all of them taken back, or an earlier commit was. */
  tookBack: boolean;
  repairs: Repair[];
  stillRed: Run | undefined;
  commits: Commit[];
  packages: PackageChange[];
  filesRead: string[];
  filesModified: string[];
}

export function readEvidence(turn: Turn): Evidence {
  const runs = collectRuns(turn.calls);
  // An experiment on a copy changes nothing of the project.
  const made = collectEdits(turn).filter(({ path }) => !/^(?:\/|\.\.\/|~)/.test(path));
  const edits = findKeptEdits(made, turn, runs);
  const commits = findCommits(runs);
  const tookBack = edits.length === 0 && (made.length > 0 || commits.some(({ isRevert }) => isRevert));
  const since = tookBack ? findLastRevert(runs, turn.folder) : -1;
  const packages = findPackageChanges(edits, runs);
  return {
    runs,
    edits,
    tookBack,
    repairs: findRepairs(runs, editPlaces(turn, edits)),
    stillRed: findLastFailing(runs.filter(({ place }) => place > since)),
    commits,
    packages,
    filesRead: filesReadIn(turn),
    filesModified: [
      ...new Set([
        ...edits.map(({ path }) => path),
        ...commits.flatMap(({ files }) => files),
        ...turn.changedFiles,
      ]),
    ],
  };
}

/** In one short line: what shows that it was done, and that it works. */
export function describeEvidence({ commits, repairs, packages }: Evidence): string {
  const lasting = commits.filter((commit) => !isInterim(commit));
  return [
    ...lasting
      .slice(-2)
      .map(({ hash, subject }) => `Commit${hash === undefined ? '' : ` ${hash}`}: ${shorten(subject, 70)}`),
    ...repairs
      .slice(0, 1)
      .map(({ green }) => `\`${shorten(green.command, 60)}\` failed before and passes now`),
    ...packages
      .slice(0, 3)
      .map(({ name, version, how }) => `${how} ${name}${version === '' ? '' : ` ${version}`}`),
  ].join('; ');
}

function editPlaces(turn: Turn, edits: FileEdit[]): number[] {
  const events = new Set(edits.flatMap((edit) => edit.events));
  return [...turn.calls.keys()].filter((place) => events.has(turn.calls[place]?.event ?? -1));
}

function filesReadIn(turn: Turn): string[] {
  const paths = new Set<string>();
  for (const { files, outcome } of turn.calls) {
    if (outcome !== 'success') continue;
    for (const { path, how } of files) if (how === 'read') paths.add(inProject(path, turn.folder));
  }
  return [...paths];
}
