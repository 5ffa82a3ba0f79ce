/** Puts a text on one line and cuts it at a word if it is too long. */
export function shorten(text: string, length: number): string {
  // U+0085 ends a line for some readers, but JavaScript does not count it as white space.
  const line = text.replace(/[\s\u0085]+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const atWord = cut.lastIndexOf(' ');
  return `${(atWord > length / 2 ? cut.slice(0, atWord) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
