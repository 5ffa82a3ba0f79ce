import { RELATED_ROWS } from './related-rows.ts';

/** The shortest beginning, since shorter ones are alike by accident, and the longest ending. */
const LATIN = { shortest: 4, longest: 6 };
const CYRILLIC = { shortest: 3, longest: 8 };

interface RelatedWord {
  text: string;
  row: number;
  longestEnding: number;
}

/** How many characters a word and its beginning in a row have in common at least, if they have that many. */
const BEGINNING = 3;
/** By these characters. Only what is asked for is read: all of it would take a hook as long as the search itself. */
const words = new Map<string, RelatedWord[]>();

/** The rows that have a term: words of the same row say the same thing. */
export function findRelatedRows(term: string): number[] {
  if (term === '') return NONE;
  const beginning = term.slice(0, BEGINNING);
  const likely = words.get(beginning) ?? readWords(beginning);
  words.set(beginning, likely);
  return likely.length === 0 ? NONE : likely.filter((word) => isFormOf(term, word)).map(({ row }) => row);
}

const NONE: number[] = [];

function isFormOf(term: string, { text, longestEnding }: RelatedWord): boolean {
  return term.length - text.length <= longestEnding && term.startsWith(text);
}

/** Where each row begins in the text. */
const rowStarts: number[] = [];

function readWords(beginning: string): RelatedWord[] {
  if (rowStarts.length === 0) findRowStarts();
  const found: RelatedWord[] = [];
  let row = 0;
  for (let at = RELATED_ROWS.indexOf(beginning); at !== -1; at = RELATED_ROWS.indexOf(beginning, at + 1)) {
    if (!isBetweenWords(at - 1)) continue;
    const text = RELATED_ROWS.slice(at, endOfWord(at));
    // A shorter word than asked for: it has no endings.
    if (beginning.length < BEGINNING && text !== beginning) continue;
    while ((rowStarts[row + 1] ?? Number.POSITIVE_INFINITY) <= at) row++;
    const { shortest, longest } = endingsOf(text);
    found.push({ text, row, longestEnding: text.length < shortest ? 0 : longest });
  }
  return found;
}

/** The text begins and ends with a line break. */
function findRowStarts(): void {
  for (let at = 1; at < RELATED_ROWS.length; at = RELATED_ROWS.indexOf('\n', at) + 1) rowStarts.push(at);
}

function isBetweenWords(at: number): boolean {
  const character = RELATED_ROWS.charAt(at);
  return character === ' ' || character === '\n';
}

function endOfWord(at: number): number {
  let end = at;
  while (!isBetweenWords(end)) end++;
  return end;
}

/** Words of other scripts have no endings here: the index has them in pairs of characters. */
function endingsOf(text: string): typeof LATIN {
  const first = text.charCodeAt(0);
  if (first < 0x80) return LATIN;
  return first >= 0x430 && first <= 0x44f ? CYRILLIC : { shortest: 0, longest: 0 };
}
