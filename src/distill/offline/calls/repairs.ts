import type { Run } from './runs.ts';

/** A run that failed and, after edits, no longer did. */
export interface Repair {
  red: Run;
  green: Run;
  /** Whether it was red before anything was changed in this turn: not broken on the way. */
  wasRedBefore: boolean;
}

/** `editPlaces`: where among the calls something was changed, in their order. */
export function findRepairs(runs: Run[], editPlaces: number[]): Repair[] {
  const firstEdit = editPlaces[0] ?? Number.POSITIVE_INFINITY;
  const reds = new Map<string, Run>();
  const repairs: Repair[] = [];
  let edits = 0;
  let lastEdit = -1;
  for (const run of runs) {
    while ((editPlaces[edits] ?? Number.POSITIVE_INFINITY) < run.place)
      lastEdit = editPlaces[edits++] ?? lastEdit;
    if (run.kind === 'look' || run.kind === 'git') continue;
    const red = reds.get(run.subject);
    if (!run.green) {
      if (!red) reds.set(run.subject, run);
    } else if (red && lastEdit > red.place) {
      repairs.push({ red, green: run, wasRedBefore: red.place < firstEdit });
      reds.delete(run.subject);
    }
  }
  return repairs;
}

/** Their tests only run when everything compiles. */
const compilesToTest = new Set(['cargo', 'go', 'mvn', 'gradle', './gradlew', 'dotnet', 'swift']);

/** The last run of something that was left red. */
export function findLastFailing(runs: Run[]): Run | undefined {
  const last = new Map<string, Run>();
  for (const run of runs) {
    if (run.kind !== 'test' && run.kind !== 'build') continue;
    last.set(run.subject, run);
    const program = programOf(run);
    if (run.kind !== 'test' || !run.green || !compilesToTest.has(program)) continue;
    for (const [subject, known] of last)
      if (known.kind === 'build' && programOf(known) === program) last.delete(subject);
  }
  return [...last.values()].filter(({ green }) => !green).at(-1);
}

function programOf({ command }: Run): string {
  return command.split(' ').find((word) => !word.includes('=')) ?? '';
}
