import { findErrors } from '../recall/errors/find-errors.ts';
import { correctQuery, type Replacement } from '../recall/near-words/correct-query.ts';
import { parseQuery } from '../recall/parse-query.ts';
import { isOnlyStopWords } from '../recall/parse-question.ts';
import { cutList } from '../recall/recall.ts';
import { recallTopics } from '../recall/recall-topics.ts';
import type { Hit, HitList, RecallRequest } from '../recall/request.ts';
import type { Store } from '../store/store.ts';
import { presentErrors } from './present-errors.ts';
import { type PresentedHit, presentHits } from './present-hits.ts';
import type { ReliabilityOf } from './reliability.ts';

/** Enough for a failed call and its consequences. */
const MOST_ERRORS = 3;

export interface SearchAnswer {
  /** Errors first, then memories, best first; the weaker ones last. */
  hits: PresentedHit[];
  /** Words that no memory has, with those that were searched for instead. */
  replaced: Replacement[];
  /** Words that no memory has and that nothing replaced. */
  unknown: string[];
  /** Further hits that are not weaker, beyond the limit. */
  more: number;
}

/** A search by a person or an agent: commands, tools and pages all use it. */
export function searchMemory(
  store: Store,
  request: RecallRequest,
  reliabilityOf: ReliabilityOf,
  { isTyping = false } = {},
): SearchAnswer {
  const { asksForErrors, kinds } = parseQuery(request.text, request.now);
  const isOnlyErrors = asksForErrors && kinds.length + (request.kinds?.length ?? 0) === 0;
  const found = findErrors(store, request, isOnlyErrors ? request.limit : MOST_ERRORS);
  const errors = presentErrors(store, found.hits);
  if (isOnlyErrors) return { hits: errors, replaced: [], unknown: [], more: found.more };
  const { text, replaced, unknown } =
    errors.length > 0
      ? { text: request.text, replaced: [], unknown: [] }
      : correctQuery(store, request, { isTyping });
  const { hits, more } = putNumberFirst(store, request, recallTopics(store, { ...request, text }));
  // "the of a" asks for nothing, so nothing comes near it.
  const answers = isOnlyStopWords(text, request.now) ? hits.filter(({ isWeaker }) => !isWeaker) : hits;
  return {
    hits: [...errors, ...presentHits(store, answers, reliabilityOf, { text, now: request.now })],
    ...{ replaced, unknown, more },
  };
}

/** `#34` is the memory with this number; others may mention an issue #34. */
function putNumberFirst(store: Store, { text, limit }: RecallRequest, { hits, more }: HitList): HitList {
  const id = Number(/^\s*#(\d{1,15})\s*$/.exec(text)?.[1]);
  const memory = Number.isNaN(id) ? undefined : store.getMemory(id);
  if (!memory) return { hits, more };
  const { kind } = memory;
  const others = hits.filter((hit) => hit.kind === 'prompt' || hit.id !== id);
  const first: Hit = { kind, id, score: 1, isWeaker: false, reasons: ['has this number'] };
  return cutList([first, ...others], limit, more);
}

/** Whether no hit answers the question. */
export function isInVain({ hits }: SearchAnswer): boolean {
  return hits.every(({ isWeaker }) => isWeaker);
}
