import { entryLine, type IndexEntry } from './present-entry.ts';
import { formatDay, formatTime } from './words.ts';

/** Entries in order of time, grouped by day; the requested one is marked. */
export function formatTimeline(
  entries: IndexEntry[],
  { at, withProject = false }: { at?: string; withProject?: boolean } = {},
): string {
  const lines: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (!before || formatDay(before.at) !== formatDay(entry.at)) lines.push(formatDay(entry.at));
    lines.push(
      `${entry.id === at ? '>' : ' '} ${entryLine(entry, { time: formatTime(entry.at), withProject })}`,
    );
  }
  return lines.join('\n');
}
