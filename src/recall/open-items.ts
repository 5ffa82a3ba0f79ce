import { splitSentences } from '../indexing/claims.ts';
import { joinTokens } from '../indexing/search-text.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { readQueryTerms } from './query-terms.ts';

type OpenSource = Pick<StoredMemory, 'title' | 'narrative' | 'facts' | 'parts'>;
export type OpenStore = Pick<Store, 'countTerms' | 'findSearchCandidates' | 'getMemories'>;

const MOST_LATER = 20;
/** The share of an open item, by the rarity of its words, that a later memory must say was done or learned. */
const SAID_SHARE = 0.65;
const LEAST_WORDS = 2;
/** How notes and the distiller introduce what is left to do. */
const LABEL = /^(?:open (?:task|question)|next(?: steps?)?|to ?do|unfinished|open)s?:\s*/i;

/** What a memory leaves open: the next steps of a summary, and questions without an answer of their own. */
export function listOpenItems({ title, narrative, facts, parts }: OpenSource): string[] {
  const texts = parts ? [parts.notes] : [title, ...facts, narrative];
  const questions = texts.flatMap(splitSentences).filter((sentence) => /[?？]["”»’')]?$/.test(sentence));
  return [...(parts ? splitSentences(parts.nextSteps) : []), ...questions];
}

/**
 * The later memory of the project that says what was open is done or answered; null if there is none. A memory that
 * only asks the same again, or was only asked to do it, is none.
 */
export function findResolution(store: OpenStore, memory: StoredMemory, item: string): StoredMemory | null {
  const terms = [...readQueryTerms(item.replace(LABEL, ''), memory.at)];
  if (terms.length < LEAST_WORDS || memory.projectId === null) return null;
  const nothing = { phrases: [], without: [], types: [], branches: [], agents: [], files: [] };
  const scope = {
    projects: [memory.projectId],
    kinds: ['observation' as const, 'summary' as const, 'note' as const],
  };
  const { docs, terms: counts } = store.countTerms(scope, terms);
  const weights = counts.map((count) => Math.log(1 + (docs + 1) / (count + 0.5)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const later = { ...scope, ...nothing, since: memory.at + 1, before: null, withoutSuperseded: true };
  const ids = store.findSearchCandidates({ any: terms, pairs: [] }, later, MOST_LATER);
  const found = store
    .getMemories(ids.map((id) => id / 2))
    .map((other) => ({
      other,
      share: shareIn(doneTexts(other)),
      isOpen: shareIn(listOpenItems(other)) >= SAID_SHARE,
    }))
    .filter(({ share, isOpen }) => share >= SAID_SHARE && !isOpen)
    .sort(
      (one, next) =>
        next.share - one.share || rankOf(one.other) - rankOf(next.other) || one.other.at - next.other.at,
    );
  return found[0]?.other ?? null;

  function shareIn(texts: string[]): number {
    const words = joinTokens(texts);
    const isThere = terms.map((term) => words.includes(` ${term} `));
    if (isThere.filter(Boolean).length < LEAST_WORDS) return 0;
    return weights.reduce((sum, weight, index) => sum + (isThere[index] ? weight : 0), 0) / total;
  }
}

/** What a memory says happened or holds, without what was asked for or is left to do. */
function doneTexts(memory: OpenSource): string[] {
  const { title, narrative, facts, parts } = memory;
  const open = new Set(listOpenItems(memory));
  const texts = parts ? [parts.learned, parts.completed] : [title, ...facts, narrative];
  return texts.flatMap(splitSentences).filter((sentence) => !open.has(sentence));
}

/** An observation or a note says it more exactly than the summary of its turn. */
function rankOf({ kind }: StoredMemory): number {
  return kind === 'summary' ? 1 : 0;
}
