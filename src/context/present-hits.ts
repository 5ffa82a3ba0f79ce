import { isSaidBy } from '../indexing/claims.ts';
import { formatReference } from '../model/reference.ts';
import { findTellingClaim } from '../recall/claims/order-claims.ts';
import { locateTerms } from '../recall/locate-terms.ts';
import type { OpenStore } from '../recall/open-items.ts';
import { parseQuery } from '../recall/parse-query.ts';
import { type PromptWord, readPromptWords } from '../recall/prompt-words.ts';
import { readQueryTerms } from '../recall/query-terms.ts';
import type { Hit } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { settleOpenItems } from './open-state.ts';
import { entryOfMemory, entryOfPrompt, type IndexEntry, markPlaces } from './present-entry.ts';
import type { ReliabilityOf } from './reliability.ts';

export interface PresentedHit {
  entry: IndexEntry;
  score: number;
  isWeaker: boolean;
  memory: StoredMemory | null;
}

export interface AskedSearch {
  /** Empty for a list without a question. */
  text: string;
  now: number;
}

/** The parts of the store that a presentation needs. */
export type HitStore = OpenStore & Pick<Store, 'getPrompts' | 'listReplaced'>;

/** Search results as index lines, with the matching sentence. Memories about changed files move down. */
export function presentHits(
  store: HitStore,
  hits: Hit[],
  reliabilityOf: ReliabilityOf,
  { text, now }: AskedSearch,
): PresentedHit[] {
  const idsOf = (isPrompt: boolean) =>
    hits.filter(({ kind }) => (kind === 'prompt') === isPrompt).map(({ id }) => id);
  const memories = new Map(store.getMemories(idsOf(false)).map((memory) => [memory.id, memory]));
  const prompts = new Map(store.getPrompts(idsOf(true)).map((prompt) => [prompt.id, prompt]));
  const replaced = store.listReplaced(idsOf(false));
  const terms = readQueryTerms(text, now);
  const words = readPromptWords(parseQuery(text, now).words);
  const presented = hits.flatMap((hit, index): (PresentedHit & { place: number })[] => {
    const { kind, id, score, isWeaker, reasons } = hit;
    const weaker = isWeaker ? ['weaker'] : [];
    const prompt = kind === 'prompt' ? prompts.get(id) : undefined;
    if (prompt) {
      const entry = markPlaces({ ...entryOfPrompt(prompt, reasons), marks: weaker }, terms);
      return [{ entry, score, isWeaker, memory: null, place: index }];
    }
    const memory = kind === 'prompt' ? undefined : memories.get(id);
    if (!memory) return [];
    const { marks, weight } = reliabilityOf(memory);
    const claim = isWeaker ? undefined : chooseClaim(memory, words);
    const file = findTellingFile(memory, terms);
    const entry = entryOfMemory(memory, {
      marks: [...weaker, ...describeReplaced(replaced, id), ...marks],
      reasons,
      ...(claim && { claim }),
      ...(file !== undefined && { file }),
    });
    return [
      {
        entry: markPlaces(entry, terms),
        score: score * weight,
        isWeaker,
        memory,
        place: index + lag(weight),
      },
    ];
  });
  const ordered = presented
    .sort((one, other) => Number(one.isWeaker) - Number(other.isWeaker) || one.place - other.place)
    .map(({ place, ...hit }) => hit);
  return text === '' ? ordered : settleOpenItems(store, ordered);
}

/** How many places a memory moves down because its files have changed or are gone. */
function lag(weight: number): number {
  if (weight < 0.5) return 3.5;
  return weight < 0.9 ? 1.5 : 0;
}

function describeReplaced(replaced: { id: number; by: number }[], by: number): string[] {
  const ids = replaced
    .filter((each) => each.by === by)
    .map(({ id }) => formatReference({ what: 'memory', id }));
  return ids.length > 0 ? [`replaces ${ids.join(', ')}`] : [];
}

/** The claim that matches best, unless the title says the same. */
function chooseClaim(
  memory: StoredMemory,
  words: PromptWord[],
): Pick<Sentence, 'position' | 'text'> | undefined {
  const claim = findTellingClaim(memory, words);
  return claim && !isSaidBy(claim.text, [memory.title]) ? claim : undefined;
}

type Sentence = NonNullable<IndexEntry['claim']>;

/** The file that the search names, or the first changed one. For a note, which changes nothing, its first file. */
function findTellingFile(memory: StoredMemory, terms: Set<string>): string | undefined {
  const { kind, filesModified, filesRead } = memory;
  const namedFile = [...filesModified, ...filesRead].find((file) => locateTerms(file, terms).length > 0);
  return namedFile ?? filesModified[0] ?? (kind === 'note' ? filesRead[0] : undefined);
}
