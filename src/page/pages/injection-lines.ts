/** One line of a context, and the memory it comes from. */
export interface GivenLine {
  number: number;
  text: string;
  memoryId: number | null;
  /** Whether this is the first line of its memory, next to which the reason is shown. */
  isFirst: boolean;
  /** Whether the line belongs to the frame or is a heading. */
  isFrame: boolean;
}

const OWN_LINE = /^#(\d+)\b/;
const MENTION = /\(#(\d+)[,)]/;
const DETAIL = /^\s*- /;

/** Finds the memory of each line, which starts with its number or mentions it. Details below a line belong to it. */
export function readGivenLines(text: string, shownIds: number[]): GivenLine[] {
  const known = new Set(shownIds);
  const seen = new Set<number>();
  let above: number | null = null;
  return text.split('\n').map((line, index) => {
    const own = toId(OWN_LINE.exec(line)?.[1], known);
    const mentioned = toId(MENTION.exec(line)?.[1], known);
    if (own !== null || !DETAIL.test(line)) above = own;
    const memoryId = own ?? mentioned ?? above;
    const isFirst = memoryId !== null && !seen.has(memoryId);
    if (memoryId !== null) seen.add(memoryId);
    return {
      number: index + 1,
      text: line,
      memoryId,
      isFirst,
      isFrame: memoryId === null && !DETAIL.test(line),
    };
  });
}

function toId(digits: string | undefined, known: Set<number>): number | null {
  const id = Number(digits);
  return known.has(id) ? id : null;
}

export interface LineChange {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Which lines were added and removed, by the longest common subsequence. */
export function compareLines(before: string[], after: string[]): LineChange[] {
  const common = before.map(() => new Array<number>(after.length + 1).fill(0));
  common.push(new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--) {
      const line = common[row];
      if (line)
        line[column] =
          before[row] === after[column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const changes: LineChange[] = [];
  for (let row = 0, column = 0; row < before.length || column < after.length; ) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      changes.push({ kind: 'same', text: old });
      row++;
      column++;
    } else if (fresh === undefined || (old !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      changes.push({ kind: 'removed', text: old ?? '' });
      row++;
    } else {
      changes.push({ kind: 'added', text: fresh });
      column++;
    }
  }
  return changes;
}
