/** Quotes a word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function unquoteFromShell(word: string): string {
  return word.slice(1, -1).replaceAll(`'\\''`, "'");
}
