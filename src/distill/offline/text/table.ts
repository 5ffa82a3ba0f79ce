/** The cells of a markdown table's row. */
export function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return inner.split('|').map((cell) => cell.trim());
}

/**
 * The cells of a row as one sentence, from the third on with what their column is called; a row that ends in a
 * mere tick says nothing new.
 */
export function describeRow({ cells, columns }: { cells: string[]; columns: string[] }): string {
  const told = cells.flatMap((text, at) => (text === '' ? [] : [{ text, column: columns[at] ?? '' }]));
  const [first, ...rest] = told;
  if (!first || !/[\p{L}\p{N}]/u.test(told.at(-1)?.text ?? '')) return '';
  if (rest.length < 2 || rest.some(({ column }) => column === ''))
    return told.map(({ text }) => text).join(': ');
  return `${first.text}: ${rest.map(({ text, column }) => `${column.toLowerCase()} ${text}`).join(', ')}`;
}
