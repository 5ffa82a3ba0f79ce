import { type Commit, isInterim } from '../offline/calls/commits.ts';
import type { FileEdit } from '../offline/calls/edits.ts';
import { inProject, withoutFolder } from '../offline/calls/paths.ts';
import { outputOf } from '../offline/calls/response.ts';
import type { Run } from '../offline/calls/runs.ts';
import { findError, findFailedTests } from '../offline/calls/symptom.ts';
import type { Evidence } from '../offline/evidence.ts';
import { shorten } from '../offline/text/shorten.ts';
import type { Turn } from '../turn.ts';
import type { Entry } from './fit-entries.ts';

const LONGEST = { line: 220, names: 60, changed: 60, files: 300, problem: 160 };

/** What was done, a line for each file, commit and failure, in the order in which it happened. */
export function describeWork(turn: Turn, evidence: Evidence): Entry[] {
  const placed = [
    ...evidence.edits.map((edit) => ({ place: edit.place, line: editLine(edit) })),
    ...evidence.commits
      .filter((commit) => !isInterim(commit))
      .map((commit) => ({ place: commit.place, line: commitLine(commit) })),
    ...failedRuns(evidence).map((run) => ({ place: run.place, line: failureLine(run, turn.folder) })),
    ...evidence.repairs.map(({ green }) => ({
      place: green.place,
      line: `ran ${green.command} → passes now`,
    })),
    ...refusals(turn),
  ].sort((a, b) => a.place - b.place);
  const named = new Set(evidence.edits.map(({ path }) => path));
  const unnamed = evidence.filesModified.filter((path) => !named.has(path));
  return [
    ...listLine('read', evidence.filesRead, false),
    ...placed.map(({ line }) => ({ line: shorten(line, LONGEST.line), matters: true })),
    ...listLine('also changed', unnamed, true),
  ];
}

function editLine({ path, created, removed, symbols, before, after }: FileEdit): string {
  if (removed) return `removed ${path}`;
  const names = shorten(symbols.join(', '), LONGEST.names);
  const [from, to] = [before, after].map((lines) => (lines.length === 1 ? (lines[0] ?? '') : ''));
  const short = (line: string) => line.length <= LONGEST.changed;
  const change = from && to && short(from) && short(to) ? `\`${from}\` → \`${to}\`` : names;
  return `${created ? 'created' : 'changed'} ${path}${change === '' ? '' : `: ${change}`}`;
}

function commitLine({ hash, subject }: Commit): string {
  return `committed${hash === undefined ? '' : ` ${hash}`}: ${subject}`;
}

/** Of several failures of the same thing only the last: those before it are on the way. */
function failedRuns({ runs }: Evidence): Run[] {
  const last = new Map<string, Run>();
  for (const run of runs) if (!run.green && run.kind !== 'look') last.set(run.subject, run);
  return [...last.values()];
}

function failureLine(run: Run, folder: string): string {
  const problem = findError(run, folder) ?? findFailedTests(run)[0] ?? lastLine(run.output);
  const shown = shorten(withoutFolder(problem, folder), LONGEST.problem);
  return `ran ${withoutFolder(run.command, folder)} → failed${shown === '' ? '' : `: ${shown}`}`;
}

function refusals({ calls, folder }: Turn): { place: number; line: string }[] {
  return calls.flatMap(({ outcome, tool, command, files, response }, place) => {
    if (outcome !== 'refused') return [];
    const what = command ?? files.map(({ path }) => inProject(path, folder)).join(', ');
    const words = shorten(outputOf(response).trim().replace(/\s+/g, ' '), LONGEST.problem);
    return [{ place, line: `refused by the person: ${what || tool}${words === '' ? '' : `: ${words}`}` }];
  });
}

function listLine(what: string, paths: string[], matters: boolean): Entry[] {
  if (paths.length === 0) return [];
  return [{ line: shorten(`${what} ${paths.join(', ')}`, LONGEST.files), matters }];
}

function lastLine(text: string): string {
  return text.slice(-1_000).trim().split('\n').at(-1)?.trim() ?? '';
}
