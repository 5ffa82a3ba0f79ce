import { structuredPatch } from 'diff';

/** The change of one file as `diff -u` prints it; empty if there is none. Null: the file does not exist. */
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

/** An empty range is named by the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
