import { RELATED_ROWS } from './related-rows.ts';

/** The shortest beginning, since shorter ones are alike by accident, and the longest ending. */
const LATIN = { shortest: 4, longest: 6 };
const CYRILLIC = { shortest: 3, longest: 8 };

interface RelatedWord {
  text: string;
  row: number;
  longestEnding: number;
}

/** By the first three characters. */
let words: Map<number, RelatedWord[]> | undefined;

/** The rows that have a term: words of the same row say the same thing. */
export function findRelatedRows(term: string): number[] {
  words ??= readRows();
  const likely = words.get(keyOf(term));
  return likely ? likely.filter((word) => isFormOf(term, word)).map(({ row }) => row) : NONE;
}

const NONE: number[] = [];

function isFormOf(term: string, { text, longestEnding }: RelatedWord): boolean {
  return term.length - text.length <= longestEnding && term.startsWith(text);
}

function readRows(): Map<number, RelatedWord[]> {
  const found = new Map<number, RelatedWord[]>();
  for (const [row, line] of RELATED_ROWS.trim().split('\n').entries())
    for (const text of line.split(' ')) {
      const { shortest, longest } = endingsOf(text);
      const word = { text, row, longestEnding: text.length < shortest ? 0 : longest };
      const known = found.get(keyOf(text));
      if (known) known.push(word);
      else found.set(keyOf(text), [word]);
    }
  return found;
}

/** Words of other scripts have no endings here: the index has them in pairs of characters. */
function endingsOf(text: string): typeof LATIN {
  const first = text.charCodeAt(0);
  if (first < 0x80) return LATIN;
  return first >= 0x430 && first <= 0x44f ? CYRILLIC : { shortest: 0, longest: 0 };
}

/** A small number, which other beginnings may share: a string would have to be cut out of every word of the index. */
function keyOf(text: string): number {
  const third = text.length > 2 ? text.charCodeAt(2) : 0;
  return (text.charCodeAt(0) * 31 + (text.charCodeAt(1) || 0)) * 31 + third;
}
