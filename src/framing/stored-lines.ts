/**
 * Stored text inside a list that Cairn writes. Without this, a title with a line break, or a narrative that starts with
 * `#12`, could pass for a memory, a day or a heading of Cairn.
 */

/** U+0085 ends a line for some readers, but JavaScript does not count it as white space. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}

/** A single line stays unchanged. Several lines, or one that looks like Cairn's, are quoted with `> `. */
export function quoteStored(text: string): string {
  const lines = splitLines(text);
  const isPlain = lines.length === 1 && !looksLikeOurs(lines[0] ?? '');
  return isPlain ? (lines[0] ?? '') : lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

/** For text under its own heading: quotes only lines that look like Cairn's. */
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

/** Whether a line starts with an id, a day, a time or a task mark, or is one of Cairn's headings. */
function looksLikeOurs(line: string): boolean {
  return OUR_MARK.test(line) || isOurHeading(line);
}

const OUR_MARK =
  /^\W*(?:[#＃]\s*[\d０-９]|[psPS]\d+\b|\d{4}-\d\d|\d{1,2}:\d\d)|^\s*(?:[-*+]\s+)?(?:[#>!]|\[[ x~-]\])|^\s*(?:=+|-{3,})\s*$/;
/** Cairn's headings up to the colon. Compared as words, because a pattern of them takes long to compile. */
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
/** Headings that may continue with more words. */
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
