import { tokenise } from '../../indexing/tokenise.ts';

/**
 * The table of words.txt as it is read at run time, by language: a line per row, with its words in the form that the index
 * has them in, `rate-limit` in one piece and in two. Words of scripts without spaces stay as they are.
 */
export function packWords(table: string): Map<string, string> {
  const rows = table
    .trim()
    .split('\n')
    .map((row) => new Map(row.split('|').map(readPart)));
  const languages = new Set(rows.flatMap((row) => [...row.keys()]));
  return new Map(
    [...languages].map((language) => [
      language,
      rows.map((row) => ` ${[...new Set(row.get(language)?.flatMap(toIndexed))].join(' ')} `).join('\n'),
    ]),
  );
}

/** “de langsam träge” */
function readPart(part: string): [language: string, words: string[]] {
  const [language = '', ...words] = part.trim().split(/\s+/);
  return [language, words];
}

function toIndexed(word: string): string[] {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)) return [word];
  const [whole = '', ...parts] = tokenise(word);
  return parts.length > 1 ? [whole, parts.join('-')] : [whole];
}
