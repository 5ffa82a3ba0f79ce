import type { Anchors } from './anchors.ts';
import { matchAt } from './connectors.ts';
import { type Edit, NO_EDITS } from './edits.ts';
import { INSERT_GROUP } from './scan.ts';
import { type SecretKind, secretKind } from './secret-names.ts';
import { isSecretValue } from './secret-values.ts';

/** Line breaks may be escaped, or begin with the sign of a patch; quotes may be escaped too. */
const SPACE = '(?:[\\s+-]|\\\\{1,8}[nrt])';
/** Made when the first statement is found: every hook loads this file. */
function createPatterns() {
  return {
    statement: new RegExp(
      `insert${SPACE}{1,20}(?:or${SPACE}{1,9}\\w{1,10}${SPACE}{1,9})?into${SPACE}{1,20}[^\\s(]{1,120}${SPACE}{0,20}\\(([^()]{1,2000})\\)${SPACE}{0,20}values${SPACE}{0,20}`,
      'iy',
    ),
    rowStart: new RegExp(`${SPACE}{0,40},?${SPACE}{0,40}\\(`, 'y'),
    /** A quoted text with doubled quotes, or anything else up to the next comma. */
    cell: new RegExp(
      `${SPACE}{0,40}(?:[NE]?(\\\\{0,8}["'])((?:(?!\\\\{0,8}["'])[^\\n]|''){0,4000})\\\\{0,8}["']|[^,()"'\\n]{0,200}(?:\\([^()\\n]{0,400}\\))?)${SPACE}{0,40}([,)])`,
      'y',
    ),
  };
}

let patterns: ReturnType<typeof createPatterns> | undefined;

interface Column {
  name: string;
  kind: SecretKind | undefined;
}

/** Finds the values of columns with secret names: `INSERT INTO users (name, password) VALUES ('robin', '…')`. */
export function findInserts(text: string, anchors: Anchors): Edit[] {
  const count = anchors.counts[INSERT_GROUP] ?? 0;
  if (count === 0) return NO_EDITS;
  patterns ??= createPatterns();
  const { statement: pattern } = patterns;
  let edits = NO_EDITS;
  let done = 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[INSERT_GROUP]?.[number] ?? 0;
    if (index < done) continue;
    const statement = matchAt(pattern, text, index);
    if (statement === null) continue;
    const columns = (statement[1] ?? '').split(',').map(toColumn);
    done = pattern.lastIndex;
    if (columns.every(({ kind }) => kind === undefined)) continue;
    if (edits === NO_EDITS) edits = [];
    done = readRows(text, done, columns, edits, patterns);
  }
  return edits;
}

function toColumn(text: string): Column {
  const name = text.replaceAll(/\\+[nrt]?|["'`[\]\s]/g, '');
  return { name, kind: secretKind(name) };
}

/** Adds the secrets of all rows. @returns where the rows end. */
function readRows(
  text: string,
  from: number,
  columns: Column[],
  edits: Edit[],
  { rowStart, cell: cellPattern }: ReturnType<typeof createPatterns>,
): number {
  let end = from;
  while (matchAt(rowStart, text, end) !== null) {
    end = rowStart.lastIndex;
    for (let number = 0; ; number++) {
      const cell = matchAt(cellPattern, text, end);
      if (cell === null) return end;
      const { name, kind } = columns[number] ?? { name: '', kind: undefined };
      const value = cell[2] ?? '';
      if (kind !== undefined && isSecretValue({ name, kind, value, position: 'quoted' })) {
        const start = end + cell[0].indexOf(cell[1] ?? '') + (cell[1] ?? '').length;
        edits.push({ start, end: start + value.length, kind });
      }
      end = cellPattern.lastIndex;
      if (cell[3] === ')') break;
    }
  }
  return end;
}
