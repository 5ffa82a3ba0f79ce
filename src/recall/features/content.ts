import { INDEXED_STOP_WORDS, STOP_WORDS } from '../../indexing/stop-words.ts';
import type { SearchDoc } from '../../store/types/search.ts';

/** The beginning of a long document is enough. */
const LONGEST = 4_000;

/** The words of a document that tell something, field by field. */
export interface Content {
  title: string[];
  body: string[];
  header: string[];
}

export function readContent({ title, body, header }: SearchDoc): Content {
  return { title: wordsOf(title), body: wordsOf(body), header: wordsOf(header) };
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, LONGEST)
    .split(' ')
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !INDEXED_STOP_WORDS.has(word));
}
