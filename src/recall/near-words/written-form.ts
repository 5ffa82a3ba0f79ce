import { tokenise } from '../../indexing/tokenise.ts';
import { typoCost } from '../../model/typo-cost.ts';
import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import type { SearchFilter } from '../../store/types/search.ts';

/** Memories that are looked at: the index has only stems. */
const LOOKED_AT = 12;
const WORD = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu;
const NAME = /[\p{L}\p{N}_-]+/gu;
const PART_END = /[_-]+|(?<=\p{Ll})(?=\p{Lu})/u;

/** How memories write an indexed term; of several spellings the one closest to what was typed. */
export function findWrittenForm(
  store: Pick<Store, 'listNewestWithTerm' | 'getMemories'>,
  term: string,
  typed: string,
  filter: SearchFilter,
): string | undefined {
  const ids = store.listNewestWithTerm(term, filter, LOOKED_AT);
  const memories = store.getMemories(ids.filter((id) => id % 2 === 0).map((id) => id / 2));
  let best: { word: string; cost: number } | undefined;
  for (const word of new Set(memories.flatMap(listWords))) {
    if (tokenise(word)[0] !== term) continue;
    const cost = typoCost(typed, word.toLowerCase().replace(/[^a-z0-9]/g, ''));
    if (!best || cost < best.cost) best = { word, cost };
  }
  return best?.word;
}

function listWords(memory: StoredMemory): string[] {
  const { title, subtitle, narrative, facts, concepts, aliases, parts, filesModified, filesRead } = memory;
  const texts = [title, subtitle, narrative, ...facts, ...concepts, ...aliases];
  const sections = parts ? Object.values(parts).flat() : [];
  const words = [...texts, ...sections].flatMap((text) => text.match(WORD) ?? []);
  const names = [...filesModified, ...filesRead].flatMap((path) => path.match(NAME) ?? []);
  // The index has a name in a path as a whole and in its parts.
  return [...words, ...names, ...names.flatMap((name) => name.split(PART_END))];
}
