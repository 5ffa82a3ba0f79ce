/** The change of one file as `diff -u` would print it; empty when there is none. Null: the file is not there. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const steps = compare(linesOf(before ?? ''), linesOf(after ?? ''));
  const head = [`--- ${before === null ? '/dev/null' : path}`, `+++ ${after === null ? '/dev/null' : path}`];
  return [...head, ...hunksOf(steps).flatMap(printHunk)].join('\n');
}

interface Step {
  kind: ' ' | '-' | '+';
  line: string;
  old: number;
  new: number;
}

const CONTEXT = 3;
const NO_LINE_END = '\n\\ No newline at end of file';

/** A last line without a line end differs from the same line with one. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  return last ? [...lines, last + NO_LINE_END] : lines;
}

function compare(before: string[], after: string[]): Step[] {
  const common = longestCommon(before, after);
  const steps: Step[] = [];
  let old = 0;
  let fresh = 0;
  for (const [oldStop, newStop] of [...common, [before.length, after.length] as const]) {
    for (; old < oldStop; old += 1) steps.push(step('-', before[old], old, fresh));
    for (; fresh < newStop; fresh += 1) steps.push(step('+', after[fresh], old, fresh));
    if (oldStop === before.length && newStop === after.length) break;
    steps.push(step(' ', before[old], old, fresh));
    old += 1;
    fresh += 1;
  }
  return steps;
}

function step(kind: Step['kind'], line: string | undefined, old: number, fresh: number): Step {
  return { kind, line: line ?? '', old: old + 1, new: fresh + 1 };
}

/** Pairs of line numbers that stay. Quadratic, which is fast enough for a settings file. */
function longestCommon(a: string[], b: string[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    for (let j = b.length - 1; row && j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

function hunksOf(steps: Step[]): Step[][] {
  const near = steps.map((_, at) =>
    steps.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((other) => other.kind !== ' '),
  );
  const hunks: Step[][] = [];
  for (const [at, step] of steps.entries()) {
    if (!near[at]) continue;
    if (near[at - 1]) hunks.at(-1)?.push(step);
    else hunks.push([step]);
  }
  return hunks;
}

function printHunk(hunk: Step[]): string[] {
  const range = (side: 'old' | 'new', absent: '+' | '-') => {
    const count = hunk.filter((step) => step.kind !== absent).length;
    const first = hunk[0]?.[side] ?? 1;
    return `${count === 0 ? first - 1 : first},${count}`;
  };
  const lines = hunk.map((step) => step.kind + step.line);
  return [`@@ -${range('old', '+')} +${range('new', '-')} @@`, ...lines];
}
