import type { IndexEntry } from '../../context/present-entry.ts';
import { formatDay } from '../../context/words.ts';
import { blankControls } from '../../platform/control-characters.ts';
import { cutToColumns, widthOf } from '../support/columns.ts';
import type { Paint } from '../support/paint.ts';
import type { PickerState } from './state.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface ScreenContent {
  entries: IndexEntry[];
  details: string;
  /** The scope of the search: the project's name, or every project. */
  where: string;
}

const KEYS = '↑↓ choose · Enter open · Tab details · Esc leave';

/** The whole screen, one string per row, none wider than the terminal. */
export function drawPicker(
  state: PickerState,
  { entries, details, where }: ScreenContent,
  size: Size,
  paint: Paint,
) {
  const { columns, rows } = size;
  const room = Math.max(1, rows - 3);
  const forDetails = state.showsDetails && entries.length > 0 ? Math.floor(room / 2) : 0;
  const forList = room - forDetails;
  const first = Math.max(0, Math.min(state.chosen - forList + 1, entries.length - forList));
  const list = entries.slice(first, first + forList).map((entry, index) => {
    const isChosen = first + index === state.chosen;
    const line = cutToColumns(`${isChosen ? '▸' : ' '} ${lineOf(entry)}`, columns);
    return isChosen ? paint.bold(line) : line;
  });
  if (entries.length === 0)
    list.push(paint.dim(cutToColumns(state.typed ? '  Nothing found.' : '  Type to search.', columns)));
  const filled = [...list, ...Array<string>(Math.max(0, forList - list.length)).fill('')];
  const opened = forDetails ? details.split('\n').flatMap((line) => wrap(line, columns)) : [];
  const below = Array.from({ length: forDetails }, (_, row) =>
    row === 0 ? paint.dim('─'.repeat(columns)) : (opened[row - 1] ?? ''),
  );
  const prompt = cutToColumns(`> ${tail(state.typed, columns - 4)}`, columns);
  return {
    lines: [
      paint.cyan(prompt),
      paint.dim(cutToColumns(where, columns)),
      ...filled,
      ...below,
      paint.dim(cutToColumns(KEYS, columns)),
    ],
    cursor: widthOf(prompt),
  };
}

function lineOf({ id, at, type, title, marks }: IndexEntry): string {
  return `${id.padStart(6)}  ${formatDay(at)}  ${type.padEnd(12)} ${[title, ...marks].join(' · ')}`;
}

/** The end of the input, where the cursor is. */
function tail(text: string, columns: number): string {
  const characters = [...text];
  while (characters.length > 0 && widthOf(characters.join('')) > columns) characters.shift();
  return characters.join('');
}

function wrap(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of blankControls(line).split(/(?<=\s)/)) {
    if (row !== '' && widthOf(row) + widthOf(word.trimEnd()) > columns) {
      rows.push(row.trimEnd());
      row = '';
    }
    row += word;
  }
  return [...rows, row.trimEnd()].map((line) => cutToColumns(line, columns));
}
