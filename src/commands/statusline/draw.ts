import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { WorkItemStatus } from '../../store/types/quick-reader.ts';
import { cutToColumns, widthOf } from '../support/columns.ts';
import { createPaint, type Paint, toTerminal } from '../support/paint.ts';

export interface StatusFacts {
  model?: string;
  left?: number;
  work?: WorkItemStatus;
  memory: MemoryState;
}

/** The number of memories, or a state that is more important. */
export type MemoryState = { count: number } | 'unknown' | 'paused' | 'trouble';

const BAR = 10;
const SHORT_NAME = 16;
const BETWEEN = ' · ';

/** One line of at most this width; the least important parts are dropped first. */
export function drawLine(known: StatusFacts, columns: number, withColour: boolean): string {
  const forms: ((paint: Paint) => string[])[] = [
    (paint) => [model(known), window(known, paint, true), work(known, paint), memory(known, paint, true)],
    (paint) => [model(known), window(known, paint, true), work(known, paint), memory(known, paint)],
    (paint) => [model(known), window(known, paint, false), work(known, paint), memory(known, paint)],
    (paint) => [
      model(known),
      window(known, paint, false),
      work(known, paint, SHORT_NAME),
      memory(known, paint),
    ],
    (paint) => [window(known, paint, false), work(known, paint, SHORT_NAME), memory(known, paint)],
    (paint) => [window(known, paint, false), memory(known, paint)],
  ];
  const plain = createPaint(false);
  const painted = createPaint(withColour);
  for (const form of forms)
    if (widthOf(joined(form(plain), plain)) <= columns) return toTerminal(joined(form(painted), painted));
  return cutToColumns(joined(forms.at(-1)?.(plain) ?? [], plain), columns);
}

function joined(parts: string[], paint: Paint): string {
  return parts.filter((part) => part !== '').join(paint.dim(BETWEEN));
}

function model({ model: name = '' }: StatusFacts): string {
  return cutToColumns(name, 40);
}

function window({ left }: StatusFacts, paint: Paint, withBar: boolean): string {
  if (left === undefined) return '';
  const used = Math.round(((100 - left) * BAR) / 100);
  const bar = withBar ? `${'█'.repeat(used)}${'░'.repeat(BAR - used)} ` : '';
  const colour = left <= 10 ? paint.red : left <= 30 ? paint.yellow : paint.green;
  return colour(`${bar}${left}% left`);
}

function work({ work: present }: StatusFacts, paint: Paint, mostColumns = 40): string {
  if (!present) return '';
  const { name, done, tasks } = present;
  return `${paint.cyan(cutToColumns(name, mostColumns))}${tasks > 0 ? ` ${done}/${tasks}` : ''}`;
}

/** Adds the command that shows the memories if there is room. */
function memory({ memory: state }: StatusFacts, paint: Paint, withCommand = false): string {
  if (state === 'unknown') return paint.dim('cairn');
  if (state === 'paused') return paint.yellow('cairn paused');
  if (state === 'trouble') return paint.red(withCairnCommand('cairn: problem, run cairn doctor'));
  return paint.dim(
    `cairn ${grouped(state.count)}${withCommand ? withCairnCommand(', see: cairn open') : ''}`,
  );
}

/** Formats 1234 as 1,234. Loading locale data would cost more than the rest of the program. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
