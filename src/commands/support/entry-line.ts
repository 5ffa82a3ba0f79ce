import type { IndexEntry } from '../../context/present-entry.ts';
import { formatDayAndTime } from '../../context/words.ts';
import { shorten } from '../../model/shorten.ts';
import type { Call } from './command.ts';

const TITLE_LENGTH = 90;

/** One index line for a person; `title` may be painted. */
export function paintEntry(
  { paint, options }: Pick<Call, 'paint' | 'options'>,
  { id, type, at, title, marks, reasons, project }: IndexEntry,
  {
    title: shown = shorten(title, TITLE_LENGTH),
    time = formatDayAndTime(at),
    withProject = options.all === true,
  }: { title?: string; time?: string; withProject?: boolean } = {},
): string {
  const where = withProject && project ? `${paint.cyan(project)} ` : '';
  const facts = marks.map((mark) => paint.yellow(mark));
  const why = options.why && reasons.length > 0 ? [paint.dim(`(${reasons.join(', ')})`)] : [];
  return `${paint.bold(id.padStart(6))}  ${time}  ${type.padEnd(12)} ${where}${[shown, ...facts, ...why].join(' · ')}`;
}
