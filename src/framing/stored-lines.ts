/**
 * Stored text inside a list of ours. Without this a title with a line break, or a narrative that begins with `#12`,
 * could pass for a memory, a day or a heading that we wrote.
 */

/** U+0085 ends a line for some readers, but JavaScript does not count it as white space. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}

/** One line stays unchanged; several, or one that looks like ours, are quoted with `> `. */
export function quoteStored(text: string): string {
  const lines = splitLines(text);
  const isPlain = lines.length === 1 && !looksLikeOurs(lines[0] ?? '');
  return isPlain ? (lines[0] ?? '') : lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/** For text under its own heading: only lines that look like ours are quoted. */
export function quoteLines(text: string): string {
  return splitLines(text)
    .map((line) => (looksLikeOurs(line) ? `> ${line.trimStart()}` : line))
    .join('\n');
}

function splitLines(text: string): string[] {
  return text
    .trim()
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) => line.trimEnd());
}

/** Starts with an id, a day, a time or a task mark, or is one of our headings. */
function looksLikeOurs(line: string): boolean {
  return OUR_MARK.test(line) || isOurHeading(line);
}

const OUR_MARK =
  /^\W*(?:[#＃]\s*[\d０-９]|[psPS]\d+\b|\d{4}-\d\d|\d{1,2}:\d\d)|^\s*(?:[-*+]\s+)?(?:[#>!]|\[[ x~-]\])|^\s*(?:=+|-{3,})\s*$/;
/** Headings of ours, as they are before the colon; compared as words, since a pattern of them takes long to compile. */
const OUR_HEADINGS = new Set([
  ...[
    'index',
    'worth knowing',
    'left open',
    'last session',
    'more',
    'work in progress',
    'tasks',
    'decided',
    'goal',
  ],
  ...[
    'note',
    'next',
    'state',
    'dead ends',
    'open questions',
    'files',
    'files changed',
    'files read',
    'about',
  ],
  'mark tasks as done',
]);
/** More words may follow these. */
const OUR_BEGINNINGS = [
  ...['also open', 'also waiting', 'handed off', 'plan', 'memories', 'cairn', 'what cairn remembers'],
];

function isOurHeading(line: string): boolean {
  const end = line.indexOf(':');
  if (end === -1) return false;
  const heading = line.slice(0, end).trim().toLowerCase();
  return (
    OUR_HEADINGS.has(heading) ||
    OUR_BEGINNINGS.some((words) => heading.startsWith(words) && !/\w/.test(heading.charAt(words.length)))
  );
}
