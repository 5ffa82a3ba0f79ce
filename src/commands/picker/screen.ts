import type { IndexEntry } from '../../context/present-entry.ts';
import type { PresentedHit } from '../../context/present-hits.ts';
import { formatDay } from '../../context/words.ts';
import { blankControls } from '../../platform/control-characters.ts';
import { cutToColumns, widthOf } from '../support/columns.ts';
import { highlight } from '../support/hit-lines.ts';
import { cutPainted, type Paint } from '../support/paint.ts';
import type { PickerState } from './state.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface ScreenContent {
  hits: Pick<PresentedHit, 'entry' | 'isWeaker'>[];
  details: string;
  /** The scope of the search: a project's name, or every project. */
  where: string;
  /** The result of the last key. */
  message?: string;
}

const KEYS = 'Enter open · Tab details · ^A scope · ^Y copy · ^T pin · ^X forget · Esc leave';
const QUESTION = 'y forget · any other key keeps it';

/** The whole screen, one string per row, none wider than the terminal. */
export function drawPicker(
  state: PickerState,
  { hits, details, where, message = '' }: ScreenContent,
  size: Size,
  paint: Paint,
) {
  const { columns, rows } = size;
  const chosen = hits[state.chosen];
  const keys = wrap(state.asksToForget ? QUESTION : KEYS, columns);
  const sentence = chosen?.entry.claim ? [sentenceLine(chosen.entry.claim, columns, paint)] : [];
  const room = Math.max(1, rows - 2 - keys.length - sentence.length);
  const forDetails = state.showsDetails && hits.length > 0 ? Math.floor(room / 2) : 0;
  const forList = room - forDetails;
  const first = Math.max(0, Math.min(state.chosen - forList + 1, hits.length - forList));
  const list = hits.slice(first, first + forList).map(({ entry, isWeaker }, index) => {
    const isChosen = first + index === state.chosen;
    const line = cutPainted(`${isChosen ? '▸' : ' '} ${lineOf(entry, paint)}`, columns);
    if (isChosen) return paint.bold(line);
    return isWeaker ? paint.dim(line) : line;
  });
  if (hits.length === 0)
    list.push(paint.dim(cutToColumns(state.typed ? '  Nothing found.' : '  Type to search.', columns)));
  const filled = [...list, ...Array<string>(Math.max(0, forList - list.length)).fill('')];
  const opened = forDetails ? details.split('\n').flatMap((line) => wrap(line, columns)) : [];
  const below = Array.from({ length: forDetails }, (_, row) =>
    row === 0 ? paint.dim('─'.repeat(columns)) : (opened[row - 1] ?? ''),
  );
  const prompt = cutToColumns(`> ${tail(state.typed, columns - 4)}`, columns);
  const question = state.asksToForget ? `Forget ${chosen?.entry.id}? [y/N]` : message;
  return {
    lines: [
      paint.cyan(prompt),
      paint.dim(cutToColumns([where, question].filter(Boolean).join(' · '), columns)),
      ...filled,
      ...sentence,
      ...below,
      ...keys.map((line) => paint.dim(line)),
    ],
    cursor: widthOf(prompt),
  };
}

/** Control characters become spaces, which keeps the offsets of the matches. */
function lineOf({ id, at, type, title, matches, marks }: IndexEntry, paint: Paint): string {
  const shown = highlight(blankControls(title), matches, paint.cyan);
  return `${id.padStart(6)}  ${formatDay(at)}  ${type.padEnd(12)} ${[shown, ...marks].join(' · ')}`;
}

function sentenceLine({ text, matches }: NonNullable<IndexEntry['claim']>, columns: number, paint: Paint) {
  return cutPainted(`  ${highlight(blankControls(text), matches, paint.cyan)}`, columns);
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
