/** Separates the names in a header from the rest. No token contains it, and the full text index skips it. */
const BAR = '|';

export function joinHeader(names: string, others: string): string {
  return others === '' ? names : `${names}${BAR}${others}`;
}

/** Where the names end: aliases, concepts and symbols; files, branch, type and author follow. */
export function findEndOfNames(header: string): number {
  const bar = header.indexOf(BAR);
  return bar < 0 ? header.length : bar;
}
