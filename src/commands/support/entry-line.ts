import type { IndexEntry } from '../../context/present-entry.ts';
import { formatDayAndTime } from '../../context/words.ts';
import { shorten } from '../../model/shorten.ts';
import type { Call } from './command.ts';

const TITLE_LENGTH = 90;

/** One index line for a person; `words` are highlighted in the title. */
export function paintEntry(
  { paint, options }: Pick<Call, 'paint' | 'options'>,
  { id, type, at, title, marks, reasons, project }: IndexEntry,
  {
    words = [],
    time = formatDayAndTime(at),
    withProject = options.all === true,
  }: { words?: string[]; time?: string; withProject?: boolean } = {},
): string {
  const where = withProject && project ? `${paint.cyan(project)} ` : '';
  const facts = marks.map((mark) => paint.yellow(mark));
  const why = options.why && reasons.length > 0 ? [paint.dim(`(${reasons.join(', ')})`)] : [];
  const heading = [highlight(shorten(title, TITLE_LENGTH), words, paint.bold), ...facts, ...why];
  return `${paint.bold(id.padStart(6))}  ${time}  ${type.padEnd(12)} ${where}${heading.join(' · ')}`;
}

function highlight(text: string, words: string[], style: (text: string) => string): string {
  if (words.length === 0) return text;
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  // At the start of a word: `prune` matches `pruned`.
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})[\\p{L}\\p{N}]*`, 'giu'), style);
}
