import type { Anchors } from './anchors.ts';
import { matchAt } from './connectors.ts';
import { type Edit, NO_EDITS } from './edits.ts';
import { MANIFEST_GROUP, SECRET_NAME_GROUP } from './scan.ts';
import { type SecretKind, secretKind } from './secret-names.ts';
import { isReference, isSecretValue } from './secret-values.ts';

const NEWLINE = /\r?\n|\\{1,8}r?\\{0,8}n/g;
/** The text allowed between a name in a header and the separator. */
const NAME_END = /[\w"'`]{0,40}[ ]{0,80}(?:[|│\t,;]|\r?\n|\\{1,8}[rn]|$)/y;
const LONGEST_ROW = 4000;

/** Finds the values below the name of a secret: columns of psql, Markdown, CSV and other tables. */
export function findColumns(text: string, anchors: Anchors): Edit[] {
  const count = anchors.counts[SECRET_NAME_GROUP] ?? 0;
  if (count === 0 || !mayHoldTable(text)) return NO_EDITS;
  const edits: Edit[] = [];
  let done = 0;
  for (let number = 0; number < count; number++) {
    const index = anchors.positions[SECRET_NAME_GROUP]?.[number] ?? 0;
    if (index < done) continue;
    NAME_END.lastIndex = index;
    if (!NAME_END.test(text)) continue;
    const { table, end } = tableAround(text, index);
    done = table === undefined ? end : readRows(text, end, table, edits);
  }
  return edits;
}

function mayHoldTable(text: string): boolean {
  return text.includes('\n') || text.includes('\\n');
}

/** The header line of a name, and the end of that line. */
function tableAround(text: string, index: number): { table: Table | undefined; end: number } {
  NEWLINE.lastIndex = index;
  const newline = NEWLINE.exec(text);
  const end = Math.min(newline === null ? text.length : NEWLINE.lastIndex, index + LONGEST_ROW);
  const head = text.slice(Math.max(0, index - LONGEST_HEADER), index);
  const start =
    index -
    (head.length -
      Math.max(head.lastIndexOf('\n') + 1, head.lastIndexOf('\\n') + 2 * Number(head.includes('\\n'))));
  return { table: tableAt(text.slice(start, newline?.index ?? text.length)), end };
}

/** Adds the secrets of the rows from here on. @returns where the table ends. */
function readRows(text: string, from: number, table: Table, edits: Edit[]): number {
  let start = from;
  NEWLINE.lastIndex = from;
  while (start < text.length) {
    const newline = NEWLINE.exec(text);
    const line = text.slice(start, Math.min(newline?.index ?? text.length, start + LONGEST_ROW));
    const cells = line.split(table.separator);
    if (cells.length === table.columns) edits.push(...secretCells(cells, start, table));
    else if (!RULE.test(line)) break;
    start = newline === null ? text.length : NEWLINE.lastIndex;
  }
  return start;
}

interface Table {
  separator: string;
  columns: number;
  secrets: { column: number; name: string; kind: SecretKind }[];
}

const LONGEST_HEADER = 400;
/** The line between the header of a table and its rows. */
const RULE = /^[\s|+:=│┼├┤─-]+$/;
const COLUMN_NAME = /^["'`]?[\w .-]{1,60}["'`]?$/;

function tableAt(header: string): Table | undefined {
  if (header.length > LONGEST_HEADER) return undefined;
  const separator = ['|', '│', '\t', ',', ';'].find((it) => header.includes(it));
  if (separator === undefined) return undefined;
  const cells = header.split(separator).map((cell) => cell.trim());
  // In JSON or a patch, other text precedes the first cell and follows the last one.
  cells[0] = (cells[0] ?? '').replace(/^.*["'`]|^[+-]/, '').trim();
  cells[cells.length - 1] = (cells.at(-1) ?? '').replace(/\\{0,8}["'`].*$/, '').trim();
  if (!cells.slice(1).every((cell) => cell === '' || COLUMN_NAME.test(cell))) return undefined;
  const secrets = cells.flatMap((cell, column) => {
    const name = cell.replace(/["'`]/g, '');
    const kind = secretKind(name);
    return kind === undefined ? [] : [{ column, name, kind }];
  });
  return secrets.length === 0 ? undefined : { separator, columns: cells.length, secrets };
}

/** The cells below the secret names, unless they contain prose or code. */
function secretCells(cells: string[], from: number, table: Table): Edit[] {
  const edits: Edit[] = [];
  let start = from;
  for (const [column, cell] of cells.entries()) {
    const secret = table.secrets.find((it) => it.column === column);
    const value = /^(\s*["'`]?)([^\s"'`\\]+)["'`]?(?:\s*$|\\{0,8}["'`])/.exec(cell);
    if (secret !== undefined && value?.[2] !== undefined && isColumnSecret(secret, value[2])) {
      const valueStart = start + (value[1] ?? '').length;
      edits.push({ start: valueStart, end: valueStart + value[2].length, kind: secret.kind });
    }
    start += cell.length + table.separator.length;
  }
  return edits;
}

function isColumnSecret({ name, kind }: { name: string; kind: SecretKind }, value: string): boolean {
  return value.length >= 4 && isSecretValue({ name, kind, value, position: 'bare' });
}

const SECRET_MANIFEST = /kind["']?:\s{0,4}["']?(?:Sealed)?Secret\b/y;
const DATA_BLOCK = /(?:^|\n|\\{1,8}n)([+\- ]{0,40})(?:data|stringData):[ \t]{0,9}(?:\r?\n|\\{1,8}n)/g;
const ENTRY =
  /([+\- \t\d|→]{0,40}?)([\w.-]{1,80}):[ \t]+(["']?)([^\s"'\\#][^\s"'\\]{0,65535})\3[ \t]*(?:\r?\n|\\{1,8}n|$|(?=\\{0,8}["']))/y;

/** Finds all values of a Kubernetes Secret, whatever their names. */
export function findManifestData(text: string, anchors: Anchors): Edit[] {
  const count = anchors.counts[MANIFEST_GROUP] ?? 0;
  const kinds = count === 0 ? [] : (anchors.positions[MANIFEST_GROUP] ?? []).slice(0, count);
  if (!kinds.some((index) => matchAt(SECRET_MANIFEST, text, index) !== null)) return NO_EDITS;
  const edits: Edit[] = [];
  DATA_BLOCK.lastIndex = 0;
  for (let block = DATA_BLOCK.exec(text); block !== null; block = DATA_BLOCK.exec(text)) {
    ENTRY.lastIndex = DATA_BLOCK.lastIndex;
    const indent = (block[1] ?? '').length;
    for (let entry = ENTRY.exec(text); entry !== null; entry = ENTRY.exec(text)) {
      const [whole, before = '', key = '', quote = '', value = ''] = entry;
      if (before.length <= indent) break;
      const start = entry.index + before.length + whole.slice(before.length).indexOf(value, key.length + 1);
      if (value.length >= 4 && !isReference(value) && quote !== undefined) {
        edits.push({ start, end: start + value.length, kind: 'secret' });
      }
      DATA_BLOCK.lastIndex = ENTRY.lastIndex;
      if (ENTRY.lastIndex >= text.length) break;
    }
  }
  return edits;
}
