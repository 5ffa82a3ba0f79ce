import type { IndexEntry, Place } from '../../context/present-entry.ts';
import type { PresentedHit } from '../../context/present-hits.ts';
import { formatDaysAgo } from '../../context/words.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import type { Call } from './command.ts';
import { paintEntry } from './entry-line.ts';
import { printRow, printWrapped } from './rows.ts';

const INDENT = 8;

/**
 * Prints a hit: its index line, then the matching sentence, age, file and warnings below it; if there is only the
 * age, on the same line. On a terminal the search terms are highlighted.
 */
export function printHit(
  call: Call,
  { entry, isWeaker, from }: Pick<PresentedHit, 'entry' | 'isWeaker'> & { from?: string | null },
  withProject: boolean,
): void {
  const { paint, options } = call;
  const title = highlight(entry.title, entry.matches, paint.bold);
  const { reasons } = entry;
  const why = options.why && reasons.length > 0 ? [paint.dim(`(${reasons.join(', ')})`)] : [];
  const below = isWeaker ? [`weaker${from ? `, from ${from}` : ''}`] : describeBelow(call, entry);
  const isShort = below.length === 1;
  const marks = isShort ? [...below, ...why] : [];
  const line = paintEntry(call, { ...entry, marks: [], reasons: [] }, { title, withProject });
  printRow(call, [line, ...marks].join(' · '));
  if (!isShort) printWrapped(call, ' '.repeat(INDENT) + [...below, ...why].join(' · '), INDENT);
}

function describeBelow({ paint, now }: Call, { claim, at, file, marks }: IndexEntry): string[] {
  const isFileNamed = file === undefined || marks.some((mark) => mark.includes(file));
  return [
    ...(claim ? [toOneLine(highlight(claim.text, claim.matches, paint.bold))] : []),
    paint.dim(formatDaysAgo(at, now())),
    ...(isFileNamed ? [] : [paint.dim(file)]),
    ...marks.map((mark) => paint.yellow(mark)),
  ];
}

export function highlight(text: string, places: Place[] = [], style: (word: string) => string): string {
  let painted = '';
  let from = 0;
  for (const [start, end] of places) {
    painted += text.slice(from, start) + style(text.slice(start, end));
    from = end;
  }
  return painted + text.slice(from);
}
