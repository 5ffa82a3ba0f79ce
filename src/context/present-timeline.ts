import { clock, day, entryLine, type IndexEntry } from './present-entry.ts';

/** Entries in the order of time, under their days; the one that was asked about is marked. */
export function timelineText(
  entries: IndexEntry[],
  { at, withProject = false }: { at?: string; withProject?: boolean } = {},
): string {
  const lines: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (!before || day(before.at) !== day(entry.at)) lines.push(day(entry.at));
    lines.push(`${entry.id === at ? '>' : ' '} ${entryLine(entry, { time: clock(entry.at), withProject })}`);
  }
  return lines.join('\n');
}
