import { tokenise } from '../../indexing/tokenise.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import type { ParsedQuestion } from '../parse-question.ts';

const MOST_WORDS = 5;
const PLAIN_WORD = /^[a-z0-9]+$/;

/**
 * "format element" for `formatElement`: words of the question that are one name in a title or header.
 * @returns the weight of the words of the best such name
 */
export function findJoinedNames(
  { terms, written }: ParsedQuestion,
  idf: number[],
): (doc: SearchDoc) => number {
  const words = terms.map((term) => (written.get(term) ?? term).toLowerCase());
  const names: { name: string; weight: number }[] = [];
  for (const [from, word] of words.entries()) {
    let name = word;
    let weight = idf[from] ?? 0;
    if (!PLAIN_WORD.test(word)) continue;
    for (let to = from + 1; to < Math.min(words.length, from + MOST_WORDS); to++) {
      const next = words[to] ?? '';
      if (!PLAIN_WORD.test(next)) break;
      name += next;
      weight += idf[to] ?? 0;
      // As the index has a name.
      names.push({ name: ` ${tokenise(name)[0] ?? name} `, weight });
    }
  }
  names.sort((a, b) => b.weight - a.weight);
  return ({ title, header }) =>
    names.find(({ name }) => header.includes(name) || title.includes(name))?.weight ?? 0;
}
