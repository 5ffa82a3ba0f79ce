import type { Turn } from '../turn.ts';
import { type Commit, commitsOf } from './calls/commits.ts';
import { editsOf, type FileEdit } from './calls/edits.ts';
import { type PackageChange, packagesOf } from './calls/packages.ts';
import { inProject } from './calls/paths.ts';
import { type Detour, detoursOf, leftRed, type Repair, repairsOf } from './calls/repairs.ts';
import { type Run, runsOf } from './calls/runs.ts';
import { keptEdits, lastUndoing } from './calls/undone.ts';
import { reportStatements } from './reports.ts';
import { type Request, requestOf } from './request.ts';
import { type Statement, statementsOf } from './text/roles.ts';
import { type Work, workOf } from './work.ts';

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
  work: Work | undefined;
}

export function materialOf(turn: Turn): Material {
  const request = requestOf(turn);
  const closing = statementsOf(turn.closingWords);
  const said = closing.length > 0 || turn.calls.length === 0 ? closing : reportStatements(turn.reports);
  const runs = runsOf(turn.calls);
  const made = editsOf(turn);
  const edits = keptEdits(made, turn, runs);
  const repairs = repairsOf(runs, editPlaces(turn, edits));
  const commits = commitsOf(runs);
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
    detours: detoursOf(runs),
    stillRed: leftRed(tookBack ? runs.filter(({ place }) => place > lastUndoing(runs, turn.folder)) : runs),
    commits,
    packages: packagesOf(edits, runs),
    filesRead: filesReadIn(turn),
    filesModified,
    work: workOf({ request, said, edits, repairs, tookBack }),
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
