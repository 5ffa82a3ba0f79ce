import { structuredPatch } from 'diff';

/** The change of one file in the format of `diff -u`; empty if there is none. Null means a missing file. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const { hunks } = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 3 });
  return [
    `--- ${before === null ? '/dev/null' : path}`,
    `+++ ${after === null ? '/dev/null' : path}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
      ...lines,
    ]),
  ].join('\n');
}

/** An empty range has the number of the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
