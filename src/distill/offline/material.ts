import type { Turn } from '../turn.ts';
import { type Commit, findCommits } from './calls/commits.ts';
import { collectEdits, type FileEdit } from './calls/edits.ts';
import { findPackageChanges, type PackageChange } from './calls/packages.ts';
import { inProject } from './calls/paths.ts';
import { type Detour, findDetours, findLastFailing, findRepairs, type Repair } from './calls/repairs.ts';
import { findKeptEdits, findLastRevert } from './calls/reverted-edits.ts';
import { collectRuns, type Run } from './calls/runs.ts';
import { reportStatements } from './reports.ts';
import { type Request, readRequest } from './request.ts';
import { classifySentences, type Statement } from './text/roles.ts';
import { classifyWork, type WorkKind } from './work-kind.ts';

/** Everything a turn offers, read once; the observers and the summary only choose from it. */
export interface Material {
  turn: Turn;
  request: Request;
  /** What the agent said at the end, or, when it was cut off, what a report says. */
  said: Statement[];
  edits: FileEdit[];
  /** Edits were made and all of them taken back, or an earlier commit was, for a reason. */
  tookBack: boolean;
  runs: Run[];
  repairs: Repair[];
  detours: Detour[];
  stillRed: Run | undefined;
  commits: Commit[];
  packages: PackageChange[];
  filesRead: string[];
  filesModified: string[];
  work: WorkKind | undefined;
}

export function readMaterial(turn: Turn): Material {
  const request = readRequest(turn);
  const closing = classifySentences(turn.closingWords);
  const said = closing.length > 0 || turn.calls.length === 0 ? closing : reportStatements(turn.reports);
  const runs = collectRuns(turn.calls);
  const made = collectEdits(turn);
  const edits = findKeptEdits(made, turn, runs);
  const repairs = findRepairs(runs, editPlaces(turn, edits));
  const commits = findCommits(runs);
  const tookBack =
    edits.length === 0 &&
    (made.length > 0 ||
      (commits.some(({ isRevert }) => isRevert) && said.some(({ role }) => role === 'cause')));
  const filesModified = edits.map(({ path }) => path);
  return {
    turn,
    request,
    said,
    edits,
    tookBack,
    runs,
    repairs,
    detours: findDetours(runs),
    stillRed: findLastFailing(
      tookBack ? runs.filter(({ place }) => place > findLastRevert(runs, turn.folder)) : runs,
    ),
    commits,
    packages: findPackageChanges(edits, runs),
    filesRead: filesReadIn(turn),
    filesModified,
    work: classifyWork({ request, said, edits, repairs, tookBack }),
  };
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
